import {
  CAPTURE_ENV,
  captureUrlOf,
  openSender,
  type RecordSender,
  sendRecords,
} from '@deal-signals/test-kit/capture-sender';
import { LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { untilSessionsEnd } from '../../src/faults/leases.ts';
import { balance } from '../../src/faults/ledger.ts';
import { openScene, type Scene } from '../../src/faults/scene.ts';

// Everything that the capture port confirmed is stored, and sending everything again gives exactly the source.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const RECORDS = 3_000;
const keys = Array.from({ length: RECORDS }, (_, n) => `key-${n}`);
const lines = keys.map(
  (key) =>
    `${JSON.stringify({ record: 'event', companyId: COMPANY, key, type: 'room_visit', occurredAt: '2026-09-01', distributionId: LINK })}\n`,
);

const storedKeys = async () =>
  (await scene.db.engagementEvent.findMany({ orderBy: { id: 'asc' } })).map(({ key }) => key);

const confirmedBy = (sender: RecordSender) =>
  Math.max(0, ...sender.lines().map(({ committed = 0 }) => committed));

test('SIGKILL of the API while it receives records', async () => {
  const first = await scene.startApi(CAPTURE_ENV);
  const sender = openSender(await captureUrlOf(first));
  // A sender that never waits always has lines in flight. The last line is never sent, so not everything is confirmed when the
  // process is killed.
  for (const line of lines.slice(0, -1)) sender.send(line);
  await until('some records to be confirmed', () => confirmedBy(sender) > 0);
  await first.kill9();
  const { isCut } = await sender.ended;
  expect(isCut).toBe(true);
  const confirmed = confirmedBy(sender);
  expect(confirmed).toBeLessThan(RECORDS);
  await untilSessionsEnd(scene, 'capture-api');
  const stored = await storedKeys();
  // A transaction may have been committed without its confirmation, but never in part.
  expect(stored).toEqual(keys.slice(0, stored.length));
  expect(stored.length).toBeGreaterThanOrEqual(confirmed);

  const second = await scene.startApi(CAPTURE_ENV);
  const { lines: results } = await sendRecords(await captureUrlOf(second), lines.join(''));
  const unchanged = stored.length;
  const captured = RECORDS - unchanged;
  expect(results.at(-1)).toEqual({ done: true, captured, unchanged, refused: 0 });
  expect(await storedKeys()).toEqual(keys);
  // Each record causes one event, however often it was sent.
  await scene.startWorker({
    DISPATCH_BATCH: '500',
    DISPATCH_ENDPOINT_LIMIT: '500',
  });
  const row = await balance(scene, {
    name: 'API killed while it captures records',
    expected: RECORDS,
    allowed: 0,
  });
  expect(row).toMatchObject({ lost: 0, delivered: RECORDS, duplicates: 0, unlogged: 0, exitCodes: [0] });
});
