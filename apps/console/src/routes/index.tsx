import { Skeleton, Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { AttemptsPanel } from '../graphs/attempts-panel.tsx';
import { DEFAULT_RANGE, type Range, readRange } from '../graphs/range.ts';
import { AttentionPanel } from '../overview/attention-panel.tsx';
import { BeginPanel } from '../overview/begin-panel.tsx';
import { EndpointsPanel } from '../overview/endpoints-panel.tsx';
import { StatePanel } from '../overview/state-panel.tsx';
import { Loaded } from '../parts/lists/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';

/** The parts of the page's state that are in its address. */
export interface OverviewSearch {
  range?: Range;
}

export const Route = createFileRoute('/')({
  component: OverviewPage,
  validateSearch: ({ range }): OverviewSearch => readRange(range),
});

function OverviewPage() {
  return (
    <>
      <PageHead title="Overview">The state of your webhooks, and what needs attention.</PageHead>
      <Loaded outline={<Outline />}>
        <Overview />
      </Loaded>
    </>
  );
}

function Overview() {
  const { range = DEFAULT_RANGE } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data } = consoleApi.useSuspenseQuery('get', '/overview', {}, { refetchInterval: LIVE_MS });
  const missing = data.attention.map(({ kind }) => kind);
  const isNew = missing.includes('no_endpoint') && missing.includes('no_key');
  return (
    <Stack gap="md">
      {isNew ? <BeginPanel /> : <AttentionPanel items={data.attention} />}
      {data.webhooks.endpoints > 0 && (
        <>
          <StatePanel overview={data} />
          <AttemptsPanel
            endpointId={null}
            range={range}
            onRange={(chosen) => void navigate({ search: readRange(chosen), resetScroll: false })}
          />
          <EndpointsPanel range={range} />
        </>
      )}
    </Stack>
  );
}

function Outline() {
  return (
    <Stack gap="md" role="status" aria-label="Loading the overview">
      <Skeleton height={96} />
      <Skeleton height={84} />
      <Skeleton height={320} />
    </Stack>
  );
}
