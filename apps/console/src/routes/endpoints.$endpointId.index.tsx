import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { managementApi } from '../api/clients.ts';
import { ApiFailure } from '../api/failures.ts';
import { LIVE_MS } from '../api/queries.ts';
import { AttemptsPanel } from '../charts/attempts-panel.tsx';
import { DEFAULT_RANGE, type Range, readRange } from '../charts/range.ts';
import { EnableButton } from '../endpoints/enabling.tsx';
import { hostOf } from '../endpoints/endpoint.ts';
import { EndpointActions } from '../endpoints/endpoint-actions.tsx';
import { EndpointFacts } from '../endpoints/endpoint-facts.tsx';
import { EndpointLog } from '../endpoints/endpoint-log.tsx';
import { LOG_STATES, type LogState } from '../endpoints/log-states.ts';
import { EndpointNotice } from '../endpoints/endpoint-notice.tsx';
import { EndpointStatus } from '../endpoints/endpoint-status.tsx';
import { PingPanel } from '../endpoints/ping-panel.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { FailedScreen } from '../screens/failed-screen.tsx';
import { LoadingScreen } from '../screens/loading-screen.tsx';
import { NotFoundScreen } from '../screens/not-found-screen.tsx';

/** What of the page is in its address. */
export interface EndpointSearch {
  status?: LogState;
  range?: Range;
}

export const Route = createFileRoute('/endpoints/$endpointId/')({
  component: EndpointPage,
  validateSearch: ({ status, range }): EndpointSearch => {
    const known = LOG_STATES.find((state) => state === status);
    return { ...readRange(range), ...(known !== undefined && { status: known }) };
  },
});

function EndpointPage() {
  const endpointId = Number(Route.useParams().endpointId);
  const { status, range = DEFAULT_RANGE } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data, error, refetch } = managementApi.useQuery(
    'get',
    '/webhooks/{id}',
    { params: { path: { id: endpointId } } },
    { refetchInterval: LIVE_MS },
  );
  const failure = error as unknown;
  if (failure instanceof ApiFailure && failure.status === 404) return <NotFoundScreen />;
  if (data === undefined) {
    if (failure === null) return <LoadingScreen />;
    return <FailedScreen error={failure} retry={() => void refetch()} />;
  }
  const endpoint = data.data;
  return (
    <>
      <PageHead title={hostOf(endpoint.url)} actions={<EndpointActions endpoint={endpoint} />}>
        <EndpointStatus endpoint={endpoint} />
      </PageHead>
      <Stack gap="md">
        <EndpointNotice endpoint={endpoint} enable={<EnableButton endpointId={endpoint.id} />} />
        <AttemptsPanel
          endpointId={endpoint.id}
          range={range}
          onRange={(chosen) =>
            void navigate({
              search: (before) => ({ ...before, range: readRange(chosen).range }),
              resetScroll: false,
            })
          }
        />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <section className="panel" aria-labelledby="settings">
            <Title order={2} id="settings" mb="sm">
              Settings
            </Title>
            <EndpointFacts endpoint={endpoint} />
          </section>
          <section className="panel" aria-labelledby="test">
            <Title order={2} id="test" mb="sm">
              Test
            </Title>
            <Text size="sm" c="dimmed" mb="md">
              A signed test event, sent at once and to this endpoint only, even while it is disabled.
            </Text>
            <PingPanel endpointId={endpoint.id} />
          </section>
        </SimpleGrid>
        <EndpointLog
          endpointId={endpoint.id}
          status={status}
          onStatus={(chosen) =>
            void navigate({
              search: (before) => ({ ...before, status: chosen }),
              resetScroll: false,
            })
          }
        />
      </Stack>
    </>
  );
}
