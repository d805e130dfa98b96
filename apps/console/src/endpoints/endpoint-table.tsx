import { Stack, Text } from '@mantine/core';
import { CardTable } from '../parts/card-table.tsx';
import { Ago } from '../parts/time.tsx';
import { count } from '../text/numbers.ts';
import { type Endpoint, hostOf, pathOf } from './endpoint.ts';
import { EndpointStatus } from './endpoint-status.tsx';
import { type Health, useEndpointHealth } from './health.ts';
import { AttemptsCell, LatencyCell, SuccessCell } from './health-cells.tsx';
import { EventNames } from './event-names.tsx';
import { PageLink } from '../parts/page-links.tsx';

/** All endpoints of the workspace. */
export function EndpointTable({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const health = useEndpointHealth('day');
  return (
    <CardTable
      caption="Webhook endpoints"
      columns={['Endpoint', 'State', 'Events', 'Attempts', 'Success', 'Response time', 'Last delivered']}
    >
      {endpoints.map((endpoint) => (
        <EndpointRow key={endpoint.id} endpoint={endpoint} health={health.get(endpoint.id)} />
      ))}
    </CardTable>
  );
}

function EndpointRow({ endpoint, health }: { endpoint: Endpoint; health: Health | undefined }) {
  return (
    <tr>
      <th scope="row">
        <EndpointName endpoint={endpoint} />
      </th>
      <td data-label="State">
        <EndpointStateNote endpoint={endpoint} />
      </td>
      <td data-label="Events">
        <EventNames events={endpoint.events} />
      </td>
      <td data-label="Attempts">
        <AttemptsCell health={health} />
      </td>
      <td data-label="Success">
        <SuccessCell health={health} />
      </td>
      <td data-label="Response time">
        <LatencyCell health={health} />
      </td>
      <td data-label="Last delivered">
        {endpoint.lastSuccessAt === null ? 'never' : <Ago at={endpoint.lastSuccessAt} />}
      </td>
    </tr>
  );
}

/** The host of an endpoint as a link to its page, with the rest of its URL and its description. */
export function EndpointName({ endpoint }: { endpoint: Endpoint }) {
  const path = pathOf(endpoint.url);
  return (
    <Stack gap={0}>
      <PageLink
        to="/endpoints/$endpointId"
        params={{ endpointId: String(endpoint.id) }}
        fw={600}
        size="sm"
        className="breakable"
      >
        {hostOf(endpoint.url)}
      </PageLink>
      {path !== '' && (
        <Text size="xs" ff="monospace" c="dimmed" lineClamp={1} style={{ wordBreak: 'break-all' }}>
          {path}
        </Text>
      )}
      {endpoint.description !== null && (
        <Text size="sm" c="dimmed" fw={400} lineClamp={1}>
          {endpoint.description}
        </Text>
      )}
    </Stack>
  );
}

/** How an endpoint is doing, and why if it is not doing well. */
function EndpointStateNote({ endpoint }: { endpoint: Endpoint }) {
  const { enabled, disabledReason, consecutiveFailures } = endpoint;
  return (
    <Stack gap={0}>
      <EndpointStatus endpoint={endpoint} />
      {!enabled && disabledReason !== null && (
        <Text size="xs" className="danger-text breakable">
          {disabledReason}
        </Text>
      )}
      {enabled && consecutiveFailures > 0 && (
        <Text size="xs" className="warning-text">
          {count(consecutiveFailures)} failed in a row
        </Text>
      )}
    </Stack>
  );
}
