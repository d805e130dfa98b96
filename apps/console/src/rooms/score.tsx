import { Group, Stack, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { Meter } from '../parts/values/meter.tsx';
import { Panel } from '../parts/panel.tsx';
import { count } from '../text/numbers.ts';

type Metrics = components['schemas']['RoomMetrics'];

/** A part of the score. */
interface Term {
  name: string;
  points: number;
  of: number;
  /** What the points depend on, and the current value. */
  reason: string;
}

/**
 * Returns the terms of a score, as the contract defines them. The points for recency are the rest of the score. Computing them
 * from the age of the last activity could differ from the API at the end of a day.
 */
export function scoreTerms({ engagementScore, totals }: Pick<Metrics, 'engagementScore' | 'totals'>): Term[] {
  const { engagedPeople, bestCompletionPercent, docsOpened } = totals;
  const breadth = Math.min(30, 10 * engagedPeople);
  const watched = Math.min(15, Math.round(bestCompletionPercent * 0.15));
  const read = Math.min(15, 5 * docsOpened);
  return [
    {
      name: 'Recency',
      points: engagementScore - breadth - watched - read,
      of: 40,
      reason: 'The age of the last activity. All points within 3 days, none after 30.',
    },
    {
      name: 'Breadth',
      points: breadth,
      of: 30,
      reason: `${count(engagedPeople)} engaged ${engagedPeople === 1 ? 'person' : 'people'}, 10 points each for the first 3.`,
    },
    {
      name: 'Depth',
      points: watched + read,
      of: 30,
      reason: `${watched} for watching ${bestCompletionPercent}% of a recording, ${read} for opening ${count(docsOpened)} ${docsOpened === 1 ? 'document' : 'documents'}.`,
    },
  ];
}

/** Shows the engagement score of a room with its three terms. */
export function ScorePanel({ metrics }: { metrics: Metrics }) {
  return (
    <Panel title="Engagement score">
      <Group gap="xl" align="center">
        <div>
          <Text fz={44} fw={650} lh={1} className="tabular">
            {metrics.engagementScore}
          </Text>
          <Text size="sm" c="dimmed">
            of 100
          </Text>
        </div>
        <Stack gap="sm" flex="1 1 14rem" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {scoreTerms(metrics).map(({ name, points, of, reason }) => (
            <li key={name}>
              <Group justify="space-between" gap="xs" mb={2}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Text size="sm" className="tabular">
                  {points} of {of}
                </Text>
              </Group>
              <Meter value={points} of={of} />
              <Text size="xs" c="dimmed" mt={4}>
                {reason}
              </Text>
            </li>
          ))}
        </Stack>
      </Group>
    </Panel>
  );
}
