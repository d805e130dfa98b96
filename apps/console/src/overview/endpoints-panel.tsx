import { integrationApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import type { Range } from '../graphs/range.ts';
import { EndpointStatus } from '../endpoints/endpoint-status.tsx';
import { EndpointName } from '../endpoints/endpoint-name.tsx';
import { useEndpointHealth } from '../endpoints/health.ts';
import { AttemptsCell, SuccessCell } from '../endpoints/health-cells.tsx';
import { CardTable } from '../parts/lists/card-table.tsx';
import { PageLink } from '../parts/lists/page-links.tsx';
import { boundedCount } from '../text/numbers.ts';
import { Panel } from '../parts/panel.tsx';

/** Lists the endpoints with their health over a period. */
export function EndpointsPanel({ range }: { range: Range }) {
  const { data } = integrationApi.useQuery('get', '/webhooks', {}, { refetchInterval: LIVE_MS });
  const health = useEndpointHealth(range);
  const endpoints = data?.data ?? [];
  if (endpoints.length === 0) return null;
  return (
    <Panel title="Endpoints" aside={<PageLink to="/endpoints">All endpoints</PageLink>}>
      <CardTable
        caption="Endpoints with their health"
        rows={endpoints}
        keyOf={({ id }) => id}
        columns={{
          Endpoint: (endpoint) => <EndpointName endpoint={endpoint} />,
          State: (endpoint) => <EndpointStatus endpoint={endpoint} />,
          Attempts: ({ id }) => <AttemptsCell health={health.get(id)} />,
          Success: ({ id }) => <SuccessCell health={health.get(id)} />,
          Pending: ({ id }) => {
            const own = health.get(id);
            return own && boundedCount(own.pendingDeliveries, own.pendingDeliveriesExact);
          },
          Dead: ({ id }) => {
            const own = health.get(id);
            return (
              own && (
                <span className={own.deadDeliveries > 0 ? 'danger-text' : ''}>
                  {boundedCount(own.deadDeliveries, own.deadDeliveriesExact)}
                </span>
              )
            );
          },
        }}
      />
    </Panel>
  );
}
