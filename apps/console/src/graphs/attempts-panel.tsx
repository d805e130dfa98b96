import { Skeleton, Stack } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { Loaded } from '../parts/lists/loaded.tsx';
import { EmptyScreen } from '../status-screens/empty-screen.tsx';
import { count } from '../text/numbers.ts';
import { duration } from '../text/times.ts';
import { Panel } from '../parts/panel.tsx';
import { Figures } from './figures.tsx';
import { Legend } from './legend.tsx';
import { OUTCOMES, outcomesInWords, successInWords } from './outcomes.ts';
import type { Range } from './range.ts';
import { RangeChoice } from './range-choice.tsx';
import { TimeChart } from './time-chart.tsx';

interface AttemptsPanelProps {
  range: Range;
  onRange: (range: Range) => void;
  /** Only attempts at this endpoint; null for the whole workspace. */
  endpointId: number | null;
}

const HEIGHT = 200;

/** Shows the number of attempts by result, over time. */
export function AttemptsPanel({ range, onRange, endpointId }: AttemptsPanelProps) {
  // Keeps the previous chart until the next one is loaded.
  const shown = useDeferredValue(range);
  return (
    <Panel title="Attempts" aside={<RangeChoice range={range} onChange={onRange} />}>
      <Loaded outline={<Skeleton height={HEIGHT + 60} role="status" aria-label="Loading the attempts" />}>
        <Attempts range={shown} endpointId={endpointId} />
      </Loaded>
    </Panel>
  );
}

function Attempts({ range, endpointId }: Pick<AttemptsPanelProps, 'range' | 'endpointId'>) {
  const { data } = consoleApi.useSuspenseQuery(
    'get',
    '/delivery-counts',
    { params: { query: { range, ...(endpointId !== null && { endpoint_id: endpointId }) } } },
    { refetchInterval: LIVE_MS },
  );
  const { buckets, totals } = data;
  const chart = useMemo(
    () => ({
      times: buckets.map(({ at }) => new Date(at)),
      series: (['delivered', 'failed', 'notSent'] as const).map((outcome) => ({
        ...OUTCOMES[outcome],
        values: buckets.map((bucket) => bucket[outcome]),
      })),
    }),
    [buckets],
  );
  if (totals.delivered + totals.failed + totals.notSent === 0) {
    return (
      <EmptyScreen title="Nothing was sent in this period">
        Every event that an endpoint subscribes to is sent at least once, and each attempt counts here.
      </EmptyScreen>
    );
  }
  return (
    <Stack gap="md">
      <Figures
        figures={[
          { label: 'Success rate', value: successInWords(totals) },
          { label: 'Delivered', value: count(totals.delivered) },
          { label: 'Failed attempts', value: count(totals.failed) },
          { label: 'Became dead', value: count(totals.dead) },
          { label: 'Response time', value: durationOrDash(totals.meanDurationMs) },
          { label: 'Slowest', value: durationOrDash(totals.slowestMs) },
        ]}
      />
      <TimeChart
        label={`Attempts over time: ${outcomesInWords(totals)}`}
        times={chart.times}
        series={chart.series}
        height={HEIGHT}
      />
      <Legend series={chart.series} />
    </Stack>
  );
}

function durationOrDash(ms: number | null): string {
  return ms === null ? '–' : duration(ms);
}
