import { Group, Skeleton, Stack, Title } from '@mantine/core';
import { useMemo } from 'react';
import { consoleApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import { EmptyScreen } from '../screens/empty-screen.tsx';
import { FailedScreen } from '../screens/failed-screen.tsx';
import { count } from '../text/numbers.ts';
import { duration } from '../text/times.ts';
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

/** How many attempts ended how, over time. */
export function AttemptsPanel({ range, onRange, endpointId }: AttemptsPanelProps) {
  const { data, error, refetch } = consoleApi.useQuery(
    'get',
    '/delivery-counts',
    { params: { query: { range, ...(endpointId !== null && { endpoint_id: endpointId }) } } },
    { refetchInterval: LIVE_MS, placeholderData: (before) => before },
  );
  const chart = useMemo(() => {
    const buckets = data?.buckets ?? [];
    return {
      times: buckets.map(({ at }) => new Date(at)),
      series: (['delivered', 'failed', 'refused'] as const).map((outcome) => ({
        ...OUTCOMES[outcome],
        values: buckets.map((bucket) => bucket[outcome]),
      })),
    };
  }, [data]);
  const isEmpty =
    data !== undefined && data.totals.delivered + data.totals.failed + data.totals.refused === 0;
  return (
    <section className="panel" aria-labelledby="attempts">
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} id="attempts">
          Attempts
        </Title>
        <RangeChoice range={range} onChange={onRange} />
      </Group>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={HEIGHT + 60} role="status" aria-label="Loading the attempts" />
        ) : (
          <FailedScreen error={error} retry={() => void refetch()} />
        )
      ) : isEmpty ? (
        <EmptyScreen title="Nothing was sent in this time">
          Every event that an endpoint subscribes to is sent at least once, and each attempt counts here.
        </EmptyScreen>
      ) : (
        <Stack gap="md">
          <Figures
            figures={[
              { label: 'Success rate', value: successInWords(data.totals) },
              { label: 'Delivered', value: count(data.totals.delivered) },
              { label: 'Failed attempts', value: count(data.totals.failed) },
              { label: 'Became dead', value: count(data.totals.dead) },
              { label: 'Response time', value: durationOrDash(data.totals.meanDurationMs) },
              { label: 'Slowest', value: durationOrDash(data.totals.slowestMs) },
            ]}
          />
          <TimeChart
            label={`Attempts over time: ${outcomesInWords(data.totals)}`}
            times={chart.times}
            series={chart.series}
            height={HEIGHT}
          />
          <Legend series={chart.series} />
        </Stack>
      )}
    </section>
  );
}

function durationOrDash(ms: number | null): string {
  return ms === null ? '–' : duration(ms);
}
