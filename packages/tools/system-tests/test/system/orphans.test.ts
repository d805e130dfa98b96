import { setTimeout as sleep } from 'node:timers/promises';
import { captureBatch } from '@deal-signals/capture/transaction/capture-batch';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { RecordError } from '@deal-signals/capture/records/record-error';
import { captureRecord } from '@deal-signals/capture/records/record';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { removeEndpoint } from '@deal-signals/deliveries/endpoints/change-state';
import { removeOldDeliveries } from '@deal-signals/deliveries/retention/old-deliveries';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { CALL, captureWorkspace, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { expect, test } from '@jest/globals';

// The rows that capture only adds have no foreign keys: events, views, messages, and the outbox. Capture has checked their
// references in the same transaction, under the feed clock, and nothing deletes the referenced rows. This test proves it.

const database = emptiedDatabase(captureWorkspace);

/** The minimum number of repetitions of each action, on a machine of any speed. */
const GOALS = { captured: 400, refused: 100, erased: 3, removed: 20, 'endpoints removed': 3 };
const ROOMS = 6;
const LINKS = 40;

/** Counts the rows that refer to a missing row. */
async function findOrphans() {
  const [orphans] = await database.db.$queryRaw<Record<string, number>[]>`
    SELECT
      (SELECT count(*) FROM engagement_events e WHERE NOT EXISTS (
        SELECT FROM rooms r WHERE r.company_id = e.company_id AND r.id = e.buyer_space_id))::int AS "events without a room",
      (SELECT count(*) FROM engagement_events e WHERE e.distribution_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM distributions d WHERE d.company_id = e.company_id AND d.id = e.distribution_id))::int AS "events without a link",
      (SELECT count(*) FROM engagement_events e WHERE e.doc_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM documents f WHERE f.company_id = e.company_id AND f.id = e.doc_id))::int AS "events without a document",
      (SELECT count(*) FROM engagement_views v WHERE NOT EXISTS (
        SELECT FROM rooms r WHERE r.company_id = v.company_id AND r.id = v.buyer_space_id))::int AS "views without a room",
      (SELECT count(*) FROM engagement_views v WHERE NOT EXISTS (
        SELECT FROM distributions d WHERE d.company_id = v.company_id AND d.id = v.distribution_id))::int AS "views without a link",
      (SELECT count(*) FROM engagement_views v WHERE v.doc_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM documents f WHERE f.company_id = v.company_id AND f.id = v.doc_id))::int AS "views without a document",
      (SELECT count(*) FROM messages m WHERE NOT EXISTS (
        SELECT FROM rooms r WHERE r.company_id = m.company_id AND r.id = m.room_id))::int AS "messages without a room",
      (SELECT count(*) FROM messages m WHERE m.distribution_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM distributions d WHERE d.company_id = m.company_id AND d.id = m.distribution_id))::int AS "messages without a link",
      (SELECT count(*) FROM webhook_events e WHERE NOT EXISTS (
        SELECT FROM companies c WHERE c.id = e.company_id))::int AS "webhook events without a workspace",
      (SELECT count(*) FROM pending_deliveries d WHERE NOT EXISTS (
        SELECT FROM webhook_endpoints e WHERE e.company_id = d.company_id AND e.id = d.endpoint_id))::int
        AS "deliveries without an endpoint"`;
  return orphans;
}
const NO_ORPHANS = {
  'events without a room': 0,
  'events without a link': 0,
  'events without a document': 0,
  'views without a room': 0,
  'views without a link': 0,
  'views without a document': 0,
  'messages without a room': 0,
  'messages without a link': 0,
  'webhook events without a workspace': 0,
  'deliveries without an endpoint': 0,
};

test('no row refers to a missing one while links are added, people are erased and deliveries are removed', async () => {
  const { db } = database;
  const done: Record<string, number> = {};
  const count = (what: string, by = 1) => (done[what] = (done[what] ?? 0) + by);
  const roomOf = (n: number) => uuid(1_000 + (n % ROOMS));
  for (let n = 0; n < ROOMS; n += 1) await write({ record: 'room', id: roomOf(n), name: `Room ${n}` });

  async function write(...records: ShortRecord[]): Promise<void> {
    const entries = records.map((record, n) => ({
      line: n + 1,
      record: captureRecord.parse({ companyId: COMPANY, ...record }),
    }));
    try {
      await captureBatch(db, COMPANY, entries);
      count('captured', records.length);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      count('refused');
    }
  }

  let keys = 0;
  /** Captures engagement of links and documents that may not exist yet. */
  const engage = (random: (limit: number) => number) => async () => {
    const key = `key ${(keys += 1)}`;
    const link = random(LINKS);
    const distributionId = uuid(2_000 + link);
    const docId = random(2) === 0 ? null : uuid(3_000 + (random(ROOMS) * ROOMS + (link % ROOMS)));
    const time = '2026-09-02T10:00:00Z';
    await write(
      {
        record: 'event',
        key,
        type: docId === null ? 'room_visit' : 'doc_open',
        occurredAt: time,
        distributionId,
        docId,
      },
      { record: 'view', key, startedAt: time, endedAt: time, distributionId, docId, segments: [] },
      { record: 'message', key, roomId: uuid(1_000 + random(ROOMS + 1)), side: 'prospect', sentAt: time },
    );
  };
  const share = (random: (limit: number) => number) => async () => {
    const n = random(LINKS);
    const recipient = { recipientName: 'x', recipientEmail: `person.${n % 5}@globex.example` };
    await write(
      { record: 'distribution', id: uuid(2_000 + n), roomId: roomOf(n), ...recipient, callId: CALL },
      { record: 'document', id: uuid(3_000 + n), roomId: roomOf(n), title: 'x', category: 'y' },
    );
  };
  const erase = (random: (limit: number) => number) => async () => {
    await write({ record: 'erasePerson', email: `person.${random(5)}@globex.example` });
    await finishErasures(db);
    count('erased');
  };
  const removeOld = async () => {
    const { removed } = await removeOldDeliveries(db, { companyId: COMPANY, before: new Date() }, 0n);
    count('removed', removed.webhook_events);
  };
  const replaceEndpoint = async () => {
    const id = await addEndpoint(db);
    await sleep(20);
    await inFeedTransaction(db, COMPANY, ({ tx }) => removeEndpoint(tx, COMPANY, id));
    count('endpoints removed');
  };

  const isDone = () => Object.entries(GOALS).every(([what, goal]) => (done[what] ?? 0) >= goal);
  const repeat = async (action: () => Promise<unknown>) => {
    while (!isDone()) {
      await action();
      await sleep(5);
    }
  };
  await Promise.all([
    ...[1, 2, 3].map((seed) => repeat(engage(randomNumbers(seed)))),
    repeat(share(randomNumbers(4))),
    repeat(erase(randomNumbers(5))),
    repeat(removeOld),
    repeat(replaceEndpoint),
    repeat(async () => expect(await findOrphans()).toEqual(NO_ORPHANS)),
  ]);
  expect(await findOrphans()).toEqual(NO_ORPHANS);
}, 120_000);
