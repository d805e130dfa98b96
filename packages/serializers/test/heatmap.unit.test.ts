import { describe, expect, test } from '@jest/globals';
import { serializeHeatmap, type HeatmapRow } from '../src/engagement/heatmap.ts';

const row = (durationSeconds: number | null, sessions: HeatmapRow['sessions']): HeatmapRow => ({
  distributionId: '00000000-0000-4000-8000-000000000003',
  recipientName: 'Bob',
  recipientEmail: 'bob@globex.example',
  demoId: '00000000-0000-4000-8000-000000000002',
  demoTitle: 'First demo',
  durationSeconds,
  views: sessions.length,
  watchSeconds: sessions.flat().reduce((sum, [from, to]) => sum + to - from, 0),
  lastViewedAt: sessions.length === 0 ? null : new Date('2026-09-02T10:00:00Z'),
  sessions,
});

describe('the heat-map', () => {
  test.each([
    [1, 1, 1],
    [199, 199, 1],
    [200, 200, 1],
    [201, 101, 2],
    [400, 200, 2],
    [401, 134, 3],
    [3_600, 200, 18],
    [3_601, 190, 19],
  ])('of a recording of %d s has %d buckets of %d s without gaps', (duration, count, size) => {
    const { bucketSeconds, buckets } = serializeHeatmap(row(duration, []));
    expect([bucketSeconds, buckets.length]).toEqual([size, count]);
    expect(buckets[0]?.startSeconds).toBe(0);
    expect(buckets.at(-1)?.endSeconds).toBe(duration);
    for (const [index, bucket] of buckets.entries()) {
      if (index > 0) expect(bucket.startSeconds).toBe(buckets[index - 1]?.endSeconds);
      if (index < buckets.length - 1) expect(bucket.endSeconds - bucket.startSeconds).toBe(size);
      expect(bucket).toMatchObject({ plays: 0, rewatches: 0, intensity: 0 });
    }
  });

  test('has no buckets for a recording of unknown duration, or without a recording', () => {
    expect(serializeHeatmap(row(null, [[[0, 10]]]))).toMatchObject({ bucketSeconds: null, buckets: [] });
    expect(serializeHeatmap({ ...row(null, []), demoId: null, demoTitle: null })).toMatchObject({
      demoId: null,
      views: 0,
      watchSeconds: 0,
      bestCompletionPercent: 0,
      lastViewedAt: null,
      buckets: [],
    });
  });

  test('counts a play where at least half of a bucket was played', () => {
    // 400 s: buckets of 2 s. The pass plays all of the first, half of the second and none of the third.
    const { buckets } = serializeHeatmap(row(400, [[[0, 3]]]));
    expect(buckets.slice(0, 3).map(({ plays }) => plays)).toEqual([1, 1, 0]);
    const less = serializeHeatmap(row(600, [[[0, 4]]]));
    expect(less.buckets.slice(0, 2).map(({ plays }) => plays)).toEqual([1, 0]);
  });

  test('counts as rewatches the plays beyond one for each session, and never fewer than 0', () => {
    const twice = serializeHeatmap(
      row(100, [
        [
          [0, 10],
          [0, 10],
          [5, 6],
        ],
        [[0, 3]],
      ]),
    );
    expect(twice.buckets.slice(0, 7).map(({ plays, rewatches }) => [plays, rewatches])).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
      [2, 1],
      [2, 1],
      [3, 2],
      [2, 1],
    ]);
    // Buckets of 3 s: one second of the second bucket is not a play, although the session played some of it.
    const brushed = serializeHeatmap(row(600, [[[0, 4]]]));
    expect(brushed.buckets[1]).toMatchObject({ plays: 0, rewatches: 0 });
  });

  test('has the intensity of a bucket relative to the most played one', () => {
    const { buckets } = serializeHeatmap(
      row(4, [
        [
          [0, 1],
          [0, 1],
          [0, 1],
          [1, 3],
        ],
        [[1, 2]],
      ]),
    );
    expect(buckets.map(({ plays, intensity }) => [plays, intensity])).toEqual([
      [3, 100],
      [2, 67],
      [1, 33],
      [0, 0],
    ]);
  });

  test('may have a shorter last bucket, half of which counts as a play', () => {
    const { buckets } = serializeHeatmap(row(401, [[[400, 401]]]));
    expect(buckets.at(-1)).toMatchObject({ startSeconds: 399, endSeconds: 401, plays: 1 });
  });

  test('has the completion of all sessions, without rewatches, rounded down', () => {
    expect(
      serializeHeatmap(
        row(300, [
          [
            [0, 100],
            [50, 100],
          ],
          [[90, 200]],
        ]),
      ).bestCompletionPercent,
    ).toBe(66);
    expect(serializeHeatmap(row(300, [[[0, 900]]])).bestCompletionPercent).toBe(100);
  });
});
