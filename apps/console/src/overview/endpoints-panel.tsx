import { Group, Title } from '@mantine/core';
import { managementApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import type { Range } from '../charts/range.ts';
import { EndpointStatus } from '../endpoints/endpoint-status.tsx';
import { EndpointName } from '../endpoints/endpoint-table.tsx';
import { useEndpointHealth } from '../endpoints/health.ts';
import { AttemptsCell, SuccessCell } from '../endpoints/health-cells.tsx';
import { CardTable } from '../parts/card-table.tsx';
import { PageLink } from '../parts/page-links.tsx';
import { boundedCount } from '../text/numbers.ts';

/** The endpoints with a sign of their health over a period. */
export function EndpointsPanel({ range }: { range: Range }) {
  const { data } = managementApi.useQuery('get', '/webhooks', {}, { refetchInterval: LIVE_MS });
  const health = useEndpointHealth(range);
  const endpoints = data?.data ?? [];
  if (endpoints.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="endpoints">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="endpoints">
          Endpoints
        </Title>
        <PageLink to="/endpoints">All about the endpoints</PageLink>
      </Group>
      <CardTable
        caption="Endpoints with their health"
        columns={['Endpoint', 'State', 'Attempts', 'Success', 'Pending', 'Dead']}
      >
        {endpoints.map((endpoint) => {
          const own = health.get(endpoint.id);
          return (
            <tr key={endpoint.id}>
              <th scope="row">
                <EndpointName endpoint={endpoint} />
              </th>
              <td data-label="State">
                <EndpointStatus endpoint={endpoint} />
              </td>
              <td data-label="Attempts">
                <AttemptsCell health={own} />
              </td>
              <td data-label="Success">
                <SuccessCell health={own} />
              </td>
              <td data-label="Pending">
                {own && boundedCount(own.pendingDeliveries, own.pendingDeliveriesExact)}
              </td>
              <td data-label="Dead">
                {own && (
                  <span className={own.deadDeliveries > 0 ? 'danger-text' : ''}>
                    {boundedCount(own.deadDeliveries, own.deadDeliveriesExact)}
                  </span>
                )}
              </td>
            </tr>
          );
        })}
      </CardTable>
    </section>
  );
}
