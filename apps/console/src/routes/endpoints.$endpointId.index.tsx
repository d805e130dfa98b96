import { SimpleGrid, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { integrationApi } from '../api/clients.ts';
import { unlessGone } from '../api/failures.ts';
import { LIVE_MS } from '../api/queries.ts';
import { AttemptsPanel } from '../graphs/attempts-panel.tsx';
import { DEFAULT_RANGE, type Range, readRange } from '../graphs/range.ts';
import { EnableButton } from '../endpoints/enable-button.tsx';
import { endpointHost } from '../endpoints/endpoint.ts';
import { EndpointActions } from '../endpoints/endpoint-actions.tsx';
import { EndpointFacts } from '../endpoints/endpoint-facts.tsx';
import { EndpointLog } from '../endpoints/endpoint-log.tsx';
import { LOG_STATES, type LogState } from '../endpoints/log-states.ts';
import { EndpointNotice } from '../endpoints/endpoint-notice.tsx';
import { MissedDialog } from '../endpoints/missed-dialog.tsx';
import { EndpointStatus } from '../endpoints/endpoint-status.tsx';
import { useEndpointHealth } from '../endpoints/health.ts';
import { PingPanel } from '../endpoints/forms/ping-panel.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';

/** The parts of the page's state that are in its address. */
export interface EndpointSearch {
  status?: LogState;
  range?: Range;
  /** The start of a period with missed events: opens the dialog that sends them. */
  missedSince?: string;
}

export const Route = createFileRoute('/endpoints/$endpointId/')({
  component: EndpointPage,
  validateSearch: ({ status, range, missedSince }): EndpointSearch => {
    const known = LOG_STATES.find((state) => state === status);
    const isTime = typeof missedSince === 'string' && !Number.isNaN(Date.parse(missedSince));
    return {
      ...readRange(range),
      ...(known !== undefined && { status: known }),
      ...(isTime && { missedSince }),
    };
  },
});

function EndpointPage() {
  const endpointId = Number(Route.useParams().endpointId);
  const { status, range = DEFAULT_RANGE, missedSince } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data: endpoint } = unlessGone(
    integrationApi.useSuspenseQuery(
      'get',
      '/webhooks/{id}',
      { params: { path: { id: endpointId } } },
      { refetchInterval: LIVE_MS },
    ),
  );
  const health = useEndpointHealth(range);
  return (
    <>
      <PageHead title={endpointHost(endpoint.url)} actions={<EndpointActions endpoint={endpoint} />}>
        <EndpointStatus endpoint={endpoint} />
      </PageHead>
      {missedSince !== undefined && endpoint.enabled && (
        <MissedDialog
          key={missedSince}
          endpoint={endpoint}
          since={missedSince}
          close={() =>
            void navigate({
              search: ({ missedSince: _closed, ...before }) => before,
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
      <Stack gap="md">
        <EndpointNotice
          endpoint={endpoint}
          enable={<EnableButton endpointId={endpoint.id} />}
          rateLimited={health.get(endpoint.id)?.rateLimited ?? null}
        />
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
          <Panel title="Settings">
            <EndpointFacts endpoint={endpoint} />
          </Panel>
          <Panel title="Test">
            <Text size="sm" c="dimmed" mb="md">
              A signed test event, sent at once and to this endpoint only, even while it is disabled.
            </Text>
            <PingPanel endpointId={endpoint.id} />
          </Panel>
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
