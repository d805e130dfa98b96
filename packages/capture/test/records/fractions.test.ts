import { findHeatmap, serializeHeatmap } from '@deal-signals/serializers/engagement/heatmap';
import { findEngagementViews } from '@deal-signals/serializers/engagement/view';
import {
  CALL,
  capture,
  DOCUMENT,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { expect, test } from '@jest/globals';
import { rebuildTexts } from '../../src/texts/rebuild-texts.ts';
import { capturedDatabase } from '../captured-database.ts';

const database = capturedDatabase();

const view = (key: string, segments: [number, number][]): ShortRecord => ({
  record: 'view',
  key,
  distributionId: LINK,
  startedAt: '2026-09-02T10:00Z',
  endedAt: '2026-09-02T10:05Z',
  segments,
});

/** Returns the views of the feed as the API shows them. */
async function shownViews() {
  const { rows } = await findEngagementViews(database.db, COMPANY, { after: 0n, limit: 10 });
  return rows.map(({ text }) => JSON.parse(text) as unknown);
}

async function shownHeatmap() {
  const row = await findHeatmap(database.db, COMPANY, LINK);
  if (row === null) throw new Error('no such link');
  return serializeHeatmap(row);
}

test('a view is measured in milliseconds and shown in whole seconds, rounded down', async () => {
  await capture(
    database.db,
    { record: 'call', id: CALL, durationSeconds: 10 },
    view('a', [
      [0, 1.9996],
      [1.5, 4.6994],
      [9.5, 12],
    ]),
    view('b', [
      [0.1, 0.3],
      [0.6, 0.9],
      [0.9, 1.4],
    ]),
  );
  const [stored] = await database.db.engagementView.findMany({ orderBy: { id: 'asc' } });
  expect(stored?.segments).toEqual([
    [0, 2],
    [1.5, 4.699],
    [9.5, 12],
  ]);
  const shown = [
    {
      // 2,000 + 3,199 + 2,500 ms in total; 4,699 + 500 ms without repeats and before the end.
      watchSeconds: 7,
      uniqueSeconds: 5,
      completionPercent: 51,
      segments: [
        { startSeconds: 0, endSeconds: 2 },
        { startSeconds: 1, endSeconds: 4 },
        { startSeconds: 9, endSeconds: 12 },
      ],
    },
    // In floating point, sums of such fractions fall short of a whole second.
    { watchSeconds: 1, uniqueSeconds: 1, completionPercent: 10 },
  ];
  expect(await shownViews()).toMatchObject(shown);
  await database.db.engagementView.updateMany({ data: { objectText: '{}' } });
  await rebuildTexts(database.db, () => {});
  expect(await shownViews()).toMatchObject(shown);
});

test('each view of a batch counts the seconds of its own recording', async () => {
  const other = uuid(20);
  const otherView = (key: string, to: number) =>
    ({ ...view(key, [[0, to]]), distributionId: other }) as ShortRecord;
  await capture(
    database.db,
    { record: 'call', id: other, kind: 'demo', occurredAt: '2026-09-01', ownerId: 7, durationSeconds: 100 },
    {
      record: 'distribution',
      id: other,
      roomId: ROOM,
      callId: other,
      recipientName: 'Di',
      recipientEmail: 'di@globex.example',
    },
  );
  const read = { ...view('document', []), segments: undefined, docId: DOCUMENT, seconds: 9 } as ShortRecord;
  const visit = { type: 'room_visit', occurredAt: '2026-09-02', distributionId: LINK } as const;
  await capture(
    database.db,
    { record: 'event', key: 'visit', ...visit },
    read,
    view('a', [[0, 60]]),
    otherView('b', 25),
    // This view is already recorded when the batch is written.
    view('a', [[0, 600]]),
    otherView('c', 50),
    { record: 'call', id: other, durationSeconds: 200 },
    otherView('d', 50),
    view('e', [[0, 300]]),
  );
  const views = await database.db.engagementView.findMany({ orderBy: { id: 'asc' } });
  expect(
    views.map(({ key, watchSeconds, uniqueSeconds, durationSeconds, completionPercent }) => [
      key,
      watchSeconds,
      uniqueSeconds,
      durationSeconds,
      completionPercent,
    ]),
  ).toEqual([
    ['document', 9, null, null, null],
    ['a', 60, 60, 600, 10],
    ['b', 25, 25, 100, 25],
    ['c', 50, 50, 100, 50],
    ['d', 50, 50, 200, 25],
    ['e', 300, 300, 600, 50],
  ]);
});

test('a player that reports every few seconds fills the heat map like one that reports once', async () => {
  await capture(database.db, { record: 'call', id: CALL, durationSeconds: 3_600 });
  // Buckets are 18 s long. The pieces are shorter than half of that, and their ends are floats as a player reports them.
  const ends = Array.from({ length: 41 }, (_, n) => n * 4.3 + 0.1);
  const pieces = ends.slice(1).map((end, n): [number, number] => [ends[n] as number, end]);
  await capture(database.db, view('pieces', pieces));
  const inPieces = await shownHeatmap();
  expect(inPieces.buckets.slice(0, 11).map(({ plays }) => plays)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);

  await capture(database.db, view('whole', [[0.1, 172.1]]));
  const both = await shownHeatmap();
  expect(both.buckets.map(({ plays }) => plays)).toEqual(inPieces.buckets.map(({ plays }) => 2 * plays));
  expect(both).toMatchObject({ watchSeconds: 344, bestCompletionPercent: 4 });
});

test('a recording of 0 seconds has an unknown length everywhere', async () => {
  await capture(database.db, { record: 'call', id: CALL, durationSeconds: 0 }, view('a', [[0, 10]]));
  expect(await database.db.call.findFirst()).toMatchObject({ durationSeconds: null });
  expect(await shownViews()).toMatchObject([
    { watchSeconds: 10, uniqueSeconds: 10, durationSeconds: null, completionPercent: null },
  ]);
  expect(await shownHeatmap()).toMatchObject({ durationSeconds: null, bucketSeconds: null, buckets: [] });
});
