import { Skeleton, Stack, Text } from '@mantine/core';
import { OUTCOMES, outcomesInWords, successInWords } from '../graphs/outcomes.ts';
import { Sparkline } from '../graphs/sparkline.tsx';
import { count } from '../text/numbers.ts';
import { duration } from '../text/times.ts';
import type { Health } from './health.ts';

/** Shows the attempts of an endpoint over time, in a table cell. */
export function AttemptsCell({ health }: { health: Health | undefined }) {
  if (health === undefined) return <Skeleton height={28} w={112} />;
  const { delivered, failed, totals } = health;
  return (
    <div style={{ width: '7rem' }}>
      <Sparkline
        label={outcomesInWords(totals)}
        series={[
          { ...OUTCOMES.delivered, values: delivered },
          { ...OUTCOMES.failed, values: failed },
        ]}
      />
    </div>
  );
}

/** Shows the success rate and the number of attempts. */
export function SuccessCell({ health }: { health: Health | undefined }) {
  if (health === undefined) return null;
  const { delivered, failed, successRate } = health.totals;
  return (
    <Stack gap={0}>
      <Text size="sm" className={successRate !== null && successRate < 0.9 ? 'warning-text' : ''}>
        {successInWords(health.totals)}
      </Text>
      {successRate !== null && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          of {count(delivered + failed)}
        </Text>
      )}
    </Stack>
  );
}

/** Shows the response times of the receiver. */
export function LatencyCell({ health }: { health: Health | undefined }) {
  const { meanDurationMs = null, slowestMs = null } = health?.totals ?? {};
  if (health === undefined || meanDurationMs === null || slowestMs === null) return <Text size="sm">–</Text>;
  return (
    <Stack gap={0} style={{ width: '7rem' }}>
      <Sparkline
        label={`${duration(meanDurationMs)} on average, at most ${duration(slowestMs)}`}
        series={[
          {
            label: 'Response time',
            color: 'gray-5',
            values: health.meanDurationsMs.map((mean) => mean ?? 0),
          },
        ]}
        height={16}
      />
      <Text size="sm">{duration(meanDurationMs)}</Text>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        at most {duration(slowestMs)}
      </Text>
    </Stack>
  );
}
