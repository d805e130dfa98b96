import { Stack, Text } from '@mantine/core';
import { CardTable } from '../parts/lists/card-table.tsx';
import { DeliveryLink } from '../parts/values/delivery-link.tsx';
import { DeliveryStatus } from '../parts/values/delivery-status.tsx';
import { AboutLink, EndpointLink } from '../parts/values/object-links.tsx';
import { Ago } from '../parts/values/time.tsx';
import type { Delivery } from './use-delivery-log.ts';

/** A table of deliveries. The caller passes the newest first. */
export function DeliveryTable({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <CardTable
      caption="Deliveries, newest first"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={{
        Event: ({ id, eventType }) => <DeliveryLink id={id}>{eventType}</DeliveryLink>,
        About: (delivery) => <AboutLink {...delivery} />,
        Endpoint: ({ endpointId }) => <EndpointLink id={endpointId} />,
        Status: (delivery) => (
          <Stack gap={0}>
            <DeliveryStatus status={delivery.status} />
            <Outcome delivery={delivery} />
          </Stack>
        ),
        Created: ({ createdAt }) => <Ago at={createdAt} />,
      }}
    />
  );
}

/** Describes the result of the attempts in a few words. */
function Outcome({ delivery }: { delivery: Delivery }) {
  const { status, attempts, lastStatusCode, lastError, nextAttemptAt, dismissedAt } = delivery;
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (status === 'delivered') {
    return (
      <Text size="xs" c="dimmed" className="one-line">
        {lastStatusCode} · {tries}
      </Text>
    );
  }
  return (
    <Text size="xs" c="dimmed" className="breakable" component="span">
      {attempts > 0 && `${lastError ?? 'failed'}, ${tries}`}
      {dismissedAt !== null && ' · dismissed'}
      {status === 'pending' && (
        <>
          {attempts > 0 && ' · '}
          {nextAttemptAt === null ? (
            'waits for its endpoint'
          ) : attempts === 0 ? (
            'due'
          ) : (
            <>
              next <Ago at={nextAttemptAt} />
            </>
          )}
        </>
      )}
    </Text>
  );
}
