import { Figures } from '../graphs/figures.tsx';
import { DeliveryLink } from '../parts/values/delivery-link.tsx';
import { Ago } from '../parts/values/time.tsx';
import { boundedCount } from '../text/numbers.ts';
import type { Overview } from './overview-data.ts';

/** Shows the pending and dead deliveries, and the time of the last delivery. */
export function StatePanel({ overview }: { overview: Overview }) {
  const { webhooks, oldestDue } = overview;
  return (
    <section className="panel" aria-label="Present state">
      <Figures
        figures={[
          {
            label: 'Pending',
            value: boundedCount(webhooks.pendingDeliveries, webhooks.pendingDeliveriesExact),
          },
          {
            label: 'Dead',
            value: (
              <span className={webhooks.deadDeliveries > 0 ? 'danger-text' : ''}>
                {boundedCount(webhooks.deadDeliveries, webhooks.deadDeliveriesExact)}
              </span>
            ),
          },
          {
            label: 'Endpoints enabled',
            value: `${webhooks.enabledEndpoints} of ${webhooks.endpoints}`,
          },
          {
            label: 'Oldest due',
            value: (
              <span className="figure-in-words">
                {oldestDue === null ? (
                  'none is late'
                ) : (
                  <DeliveryLink id={oldestDue.deliveryId}>
                    <Ago at={oldestDue.dueAt} />
                  </DeliveryLink>
                )}
              </span>
            ),
          },
          {
            label: 'Last delivered',
            value: (
              <span className="figure-in-words">
                {webhooks.lastDeliveredAt === null ? 'never' : <Ago at={webhooks.lastDeliveredAt} />}
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}
