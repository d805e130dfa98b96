import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { capture, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import { addView } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findHeatmap, type Heatmap, serializeHeatmap } from '../src/engagement/heatmap.ts';

let database: TestDatabase;
let next = 100;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
});
afterAll(() => database.drop());

/** Captures a link to a recording of that length, and its sessions, each with its played ranges. Returns the heat-map. */
async function heatmapOf(
  durationSeconds: number | null,
  sessions: [number, number][][],
): Promise<Heatmap & { link: string }> {
  const id = uuid((next += 1));
  await capture(
    database.db,
    { record: 'call', id, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, durationSeconds },
    {
      record: 'distribution',
      id,
      roomId: ROOM,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId: id,
    },
    ...sessions.map((segments, n) => ({
      record: 'view' as const,
      key: `${id} ${n}`,
      distributionId: id,
      startedAt: '2026-09-02',
      endedAt: '2026-09-02',
      segments,
    })),
  );
  return { ...(await currentHeatmap(id)), link: id };
}

async function currentHeatmap(link: string): Promise<Heatmap> {
  const row = await findHeatmap(database.db, COMPANY, link);
  if (row === null) throw new Error('no such link');
  return serializeHeatmap(row);
}

const plays = ({ buckets }: Heatmap) => buckets.map((bucket) => bucket.plays);

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
    [2_147_483_647, 200, 10_737_419],
  ])('of a recording of %d s has %d buckets of %d s without gaps', async (duration, count, size) => {
    const { bucketSeconds, buckets } = await heatmapOf(duration, []);
    expect([bucketSeconds, buckets.length]).toEqual([size, count]);
    expect(buckets[0]?.startSeconds).toBe(0);
    expect(buckets.at(-1)?.endSeconds).toBe(duration);
    for (const [index, bucket] of buckets.entries()) {
      if (index > 0) expect(bucket.startSeconds).toBe(buckets[index - 1]?.endSeconds);
      if (index < buckets.length - 1) expect(bucket.endSeconds - bucket.startSeconds).toBe(size);
      expect(bucket).toMatchObject({ plays: 0, rewatches: 0, intensity: 0 });
    }
  });

  test.each([null, 0])('has no buckets for a recording of %p s', async (duration) => {
    expect(await heatmapOf(duration, [[[0, 10]]])).toMatchObject({
      views: 1,
      watchSeconds: 10,
      bestCompletionPercent: 0,
      bucketSeconds: null,
      buckets: [],
    });
  });

  test('counts a play where at least half of a bucket was played', async () => {
    // 400 s: buckets of 2 s. The pass plays all of the first, half of the second and none of the third.
    expect(plays(await heatmapOf(400, [[[0, 3]]])).slice(0, 3)).toEqual([1, 1, 0]);
    expect(plays(await heatmapOf(600, [[[0, 4]]])).slice(0, 2)).toEqual([1, 0]);
    expect(plays(await heatmapOf(600, [[[2, 4]]])).slice(0, 2)).toEqual([0, 0]);
    expect(plays(await heatmapOf(600, [[[2, 9]]])).slice(0, 4)).toEqual([0, 1, 1, 0]);
    expect(plays(await heatmapOf(600, [[[4, 5]]])).slice(0, 3)).toEqual([0, 0, 0]);
  });

  test('counts consecutive ranges as one pass, and the same range again as another', async () => {
    const inPieces = await heatmapOf(600, [
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    ]);
    expect(inPieces.buckets[0]).toMatchObject({ plays: 1, rewatches: 0 });
    const halves = await heatmapOf(400, [
      [
        [0, 1],
        [1, 2],
        [0, 1],
        [3, 4],
      ],
    ]);
    expect(plays(halves).slice(0, 3)).toEqual([2, 1, 0]);
  });

  test('does not continue a pass of another session', async () => {
    expect(plays(await heatmapOf(600, [[[0, 1]], [[1, 2]], [[2, 3]]]))[0]).toBe(0);
  });

  test('counts the plays beyond one for each session as rewatches, at least 0', async () => {
    const twice = await heatmapOf(100, [
      [
        [0, 10],
        [0, 10],
        [5, 6],
      ],
      [[0, 3]],
    ]);
    expect(twice.buckets.slice(0, 7).map((bucket) => [bucket.plays, bucket.rewatches])).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
      [2, 1],
      [2, 1],
      [3, 2],
      [2, 1],
    ]);
    // Buckets of 3 s: one second of the second bucket is not a play, although the session played some of it.
    const brushed = await heatmapOf(600, [[[0, 4]]]);
    expect(brushed.buckets[1]).toMatchObject({ plays: 0, rewatches: 0 });
  });

  test('has the intensity of a bucket relative to the most played one', async () => {
    const { buckets } = await heatmapOf(4, [
      [
        [0, 1],
        [0, 1],
        [0, 1],
        [1, 3],
      ],
      [[1, 2]],
    ]);
    expect(buckets.map((bucket) => [bucket.plays, bucket.intensity])).toEqual([
      [3, 100],
      [2, 67],
      [1, 33],
      [0, 0],
    ]);
  });

  test('may have a shorter last bucket, half of which counts as a play', async () => {
    const { buckets } = await heatmapOf(401, [[[400, 401]]]);
    expect(buckets.at(-1)).toMatchObject({ startSeconds: 399, endSeconds: 401, plays: 1 });
  });

  test('ignores plays beyond the end of the recording', async () => {
    expect(
      plays(
        await heatmapOf(3, [
          [
            [2, 9],
            [5, 8],
          ],
        ]),
      ),
    ).toEqual([0, 0, 1]);
  });

  test('has the completion of all sessions, without rewatches, rounded down', async () => {
    const { bestCompletionPercent } = await heatmapOf(300, [
      [
        [0, 100],
        [50, 100],
      ],
      [[90, 200]],
    ]);
    expect(bestCompletionPercent).toBe(66);
    expect((await heatmapOf(300, [[[0, 900]]])).bestCompletionPercent).toBe(100);
  });

  test('follows a corrected length of the recording', async () => {
    const { link } = await heatmapOf(null, [[[0, 3]], [[0, 300]]]);
    const call = { record: 'call', id: link, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7 } as const;
    await capture(database.db, { ...call, durationSeconds: 600 });
    const known = await currentHeatmap(link);
    expect(known).toMatchObject({ views: 2, bestCompletionPercent: 50, bucketSeconds: 3 });
    expect(plays(known).slice(0, 101)).toEqual([2, ...Array.from({ length: 99 }, () => 1), 0]);
    await capture(database.db, { ...call, durationSeconds: 10 });
    expect(plays(await currentHeatmap(link))).toEqual([2, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('measures played ranges in milliseconds', async () => {
    const { link } = await heatmapOf(3, []);
    await addView(database.db, COMPANY, 1, {
      buyerSpaceId: ROOM,
      distributionId: link,
      demoId: link,
      segments: [
        [0, 0.499],
        [1, 1.5],
        [1.5, 1.9996],
        [2.25, 2.75],
      ],
    });
    await rollUp(database.db);
    const heatmap = await currentHeatmap(link);
    // 499 + 1,000 + 500 ms, after rounding to milliseconds.
    expect(heatmap).toMatchObject({ watchSeconds: 1, bestCompletionPercent: 66 });
    expect(plays(heatmap)).toEqual([0, 1, 1]);
  });
});
