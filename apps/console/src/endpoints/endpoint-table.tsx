import { Stack, Text } from '@mantine/core';
import { CardTable } from '../parts/lists/card-table.tsx';
import { Ago } from '../parts/values/time.tsx';
import { count } from '../text/numbers.ts';
import { type Endpoint, failuresLeftInWords, getEndpointState } from './endpoint.ts';
import { EndpointName } from './endpoint-name.tsx';
import { EndpointStatus } from './endpoint-status.tsx';
import { type Health, useDisableAfter, useEndpointHealth } from './health.ts';
import { AttemptsCell, LatencyCell, SuccessCell } from './health-cells.tsx';
import { EventNames } from './event-names.tsx';
import { rateLimitedInWords } from './rate-limit-words.ts';

/** Lists all endpoints of the workspace. */
export function EndpointTable({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const health = useEndpointHealth('day');
  return (
    <CardTable
      caption="Webhook endpoints"
      rows={endpoints}
      keyOf={({ id }) => id}
      columns={{
        Endpoint: (endpoint) => <EndpointName endpoint={endpoint} />,
        State: (endpoint) => (
          <EndpointStateNote endpoint={endpoint} rateLimited={health.get(endpoint.id)?.rateLimited ?? null} />
        ),
        Events: ({ events, filter }) => (
          <Stack gap={0}>
            <EventNames events={events} />
            {filter !== null && (
              <Text size="xs" c="dimmed">
                Filtered
              </Text>
            )}
          </Stack>
        ),
        Attempts: ({ id }) => <AttemptsCell health={health.get(id)} />,
        Success: ({ id }) => <SuccessCell health={health.get(id)} />,
        'Response time': ({ id }) => <LatencyCell health={health.get(id)} />,
        'Last delivered': ({ lastSuccessAt: at }) => (at === null ? 'never' : <Ago at={at} />),
      }}
    />
  );
}

/** Shows the state of an endpoint, with the reason if it is not healthy. */
function EndpointStateNote({
  endpoint,
  rateLimited,
}: {
  endpoint: Endpoint;
  rateLimited: Health['rateLimited'];
}) {
  const { enabled, disabledReason, lastError, consecutiveFailures } = endpoint;
  const disableAfter = useDisableAfter();
  return (
    <Stack gap={0}>
      <EndpointStatus endpoint={endpoint} />
      {!enabled && disabledReason !== null && (
        <Text size="xs" className="danger-text breakable">
          {disabledReason}
          {consecutiveFailures > 0 && lastError !== null && `: ${lastError}`}
        </Text>
      )}
      {enabled && rateLimited !== null && (
        <Text size="xs" c="dimmed">
          {rateLimitedInWords(rateLimited)}
        </Text>
      )}
      {enabled && consecutiveFailures > 0 && (
        <Text size="xs" className="warning-text">
          {consecutiveFailures === 1
            ? 'the last attempt failed'
            : `${count(consecutiveFailures)} attempts in a row failed`}
          {getEndpointState(endpoint) === 'failing' &&
            disableAfter !== undefined &&
            `, ${failuresLeftInWords(disableAfter - consecutiveFailures)}`}
        </Text>
      )}
    </Stack>
  );
}
