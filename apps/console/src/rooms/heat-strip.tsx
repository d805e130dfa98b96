import { Group, Text } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { playTime } from '../text/play-time.ts';
import './heat-strip.css';

type Heatmap = components['schemas']['Heatmap'];
type Bucket = Heatmap['buckets'][number];

const STEPS = 4;

/** Shows how often each part of a recording was played. */
export function HeatStrip({ heatmap }: { heatmap: Heatmap }) {
  const { durationSeconds, buckets } = heatmap;
  if (durationSeconds === null || buckets.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The length of the recording is not known, so there is no heat-map.
      </Text>
    );
  }
  return (
    <div>
      <svg
        className="heat-strip"
        role="img"
        aria-label={inWords(buckets, durationSeconds)}
        viewBox={`0 0 ${durationSeconds} 1`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
      >
        {buckets.map((bucket) =>
          bucket.plays === 0 ? null : (
            <rect
              key={bucket.startSeconds}
              className={`heat-${heatStep(bucket)}`}
              x={bucket.startSeconds}
              width={bucket.endSeconds - bucket.startSeconds}
              height={1}
            >
              <title>{`${playTime(bucket.startSeconds)} to ${playTime(bucket.endSeconds)}: played ${times(bucket.plays)}`}</title>
            </rect>
          ),
        )}
      </svg>
      <div className="heat-axis tabular" aria-hidden>
        <span>0:00</span>
        <span>{playTime(durationSeconds / 2)}</span>
        <span>{playTime(durationSeconds)}</span>
      </div>
    </div>
  );
}

/** Explains the colours. */
export function HeatLegend() {
  return (
    <Group gap={6} aria-hidden>
      <Text size="xs" c="dimmed">
        not played
      </Text>
      {Array.from({ length: STEPS + 1 }, (_, step) => (
        <span key={step} className={`heat-legend heat-${step}`} />
      ))}
      <Text size="xs" c="dimmed">
        most played
      </Text>
    </Group>
  );
}

function heatStep({ intensity }: Bucket): number {
  return Math.max(1, Math.ceil((intensity * STEPS) / 100));
}

/** Describes the heat-map in a sentence: the most played part, the unplayed time, and the time that was watched again. */
export function inWords(buckets: readonly Bucket[], durationSeconds: number): string {
  const maxPlays = Math.max(...buckets.map(({ plays }) => plays));
  if (maxPlays === 0) return `Nothing of ${playTime(durationSeconds)} has been played yet.`;
  const first = buckets.findIndex(({ plays }) => plays === maxPlays);
  const after = buckets.findIndex(({ plays }, place) => place > first && plays < maxPlays);
  const start = buckets[first]?.startSeconds ?? 0;
  const end = after === -1 ? durationSeconds : (buckets[after]?.startSeconds ?? durationSeconds);
  const sumLength = (some: readonly Bucket[]) =>
    some.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  const unplayed = sumLength(buckets.filter(({ plays }) => plays === 0));
  const again = sumLength(buckets.filter(({ rewatches }) => rewatches > 0));
  return [
    `Of ${playTime(durationSeconds)}, the part from ${playTime(start)} to ${playTime(end)} was played most, ${times(maxPlays)}.`,
    unplayed === 0 ? 'Everything was played.' : `${playTime(unplayed)} was not played.`,
    ...(again === 0 ? [] : [`${playTime(again)} was watched again.`]),
  ].join(' ');
}

function times(plays: number): string {
  return plays === 1 ? 'once' : `${plays} times`;
}
