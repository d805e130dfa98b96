import { setTimeout as sleep } from 'node:timers/promises';
import { capture, captureWorkspace, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { beginAttemptsInBatches } from '@deal-signals/deliveries/attempts/begin-attempt';
import type { Claim } from '@deal-signals/deliveries/claims/claim';
import type { AttemptResult } from '@deal-signals/deliveries/attempts/outcome';
import { recordOutcomesInBatches } from '@deal-signals/deliveries/attempts/record-outcomes';
import { resendBatch, resendDelivery } from '@deal-signals/deliveries/admin-actions/resend';
import { retryDelivery } from '@deal-signals/deliveries/admin-actions/retry';
import { removeOldDeliveries } from '@deal-signals/deliveries/retention/old-deliveries';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// No foreign keys lead from attempts to deliveries, from deliveries to events, or from subjects to either. This test proves what
// they would enforce.

/** How often each operation runs at least while all the others run, on a machine of any speed. */
const GOALS = {
  captured: 50,
  attempted: 60,
  retried: 5,
  resent: 5,
  'resent in batches': 5,
  removed: 50,
  'events removed': 20,
  erased: 1,
};
/**
 * How long a delivery stays in the log: long enough to be retried and resent, and short enough that retention is always close.
 */
const KEPT_MS = 400;
const LEASE = { leaseMs: 60_000, leaseNeededMs: 1_000 };
const RULES = { retryScheduleMs: [0], maxAttempts: 2, disableAfter: 1_000_000, disableMinOutageMs: 0 };
const RESULTS: AttemptResult[] = [200, 500].map((status) => ({
  kind: 'responded',
  status,
  excerpt: '',
  durationMs: 1,
}));

let database: TestDatabase;
let endpointIds: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  endpointIds = [await addEndpoint(database.db), await addEndpoint(database.db)];
});
afterAll(() => database.drop());

/** Finds rows that refer to missing rows, and rows that should have been removed with others. */
async function findOrphans() {
  const [orphans] = await database.db.$queryRaw<Record<string, number>[]>`
    WITH range AS (
      SELECT company_id, subject AS event_id, first_delivery_id, first_delivery_id + deliveries AS "end"
      FROM webhook_delivery_subjects WHERE kind = 'event'
    )
    SELECT
      (SELECT count(*) FROM webhook_attempts a WHERE NOT EXISTS (
        SELECT FROM deliveries d WHERE d.company_id = a.company_id AND d.id = a.delivery_id))::int AS "attempts without a delivery",
      (SELECT count(*) FROM deliveries d WHERE NOT EXISTS (
        SELECT FROM webhook_events e WHERE e.company_id = d.company_id AND e.id = d.event_id))::int AS "deliveries without an event",
      (SELECT count(*) FROM deliveries d WHERE NOT EXISTS (
        SELECT FROM range r WHERE r.company_id = d.company_id AND r.event_id = d.event_id
          AND d.id >= r.first_delivery_id AND d.id < r."end"))::int AS "deliveries that their event does not lead to",
      (SELECT count(*) FROM webhook_events e WHERE NOT EXISTS (
        SELECT FROM deliveries d WHERE d.company_id = e.company_id AND d.event_id = e.id))::int AS "events without a delivery",
      (SELECT count(*) FROM webhook_delivery_subjects s WHERE NOT EXISTS (
        SELECT FROM range r JOIN webhook_events e ON e.company_id = r.company_id AND e.id = r.event_id
        CROSS JOIN LATERAL delivery_subjects(e.id, e.type, e.buyer_space_id, e.call_id, e.identity) AS own
        WHERE r.company_id = s.company_id AND r.first_delivery_id = s.first_delivery_id
          AND own.kind = s.kind AND own.subject = s.subject))::int AS "subjects of no event",
      (SELECT count(*) FROM (
        SELECT FROM webhook_attempts GROUP BY company_id, delivery_id HAVING count(*) < max(number)
      ) AS lost)::int AS "deliveries that stay without some of their attempts"`;
  return orphans;
}
const NO_ORPHANS = {
  'attempts without a delivery': 0,
  'deliveries without an event': 0,
  'deliveries that their event does not lead to': 0,
  'events without a delivery': 0,
  'subjects of no event': 0,
  'deliveries that stay without some of their attempts': 0,
};

test('no row is orphaned while all operations run at the same time', async () => {
  const { db } = database;
  const random = randomNumbers(48);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const done: Record<string, number> = {};
  const count = (what: string, by = 1) => (done[what] = (done[what] ?? 0) + by);

  const pickDelivery = async (status: 'dead' | null) => {
    const [delivery] = await db.$queryRaw<{ id: bigint; endpointId: number }[]>`
      SELECT id, endpoint_id AS "endpointId" FROM deliveries
      WHERE company_id = ${COMPANY} AND status <> 'pending' AND (${status}::text IS NULL OR status::text = ${status}::text)
      ORDER BY random() LIMIT 1`;
    return delivery;
  };
  let batches = 0;
  const captureEvents = async () => {
    const batch = (batches += 1);
    const records = Array.from({ length: 5 }, (_, n): ShortRecord[] => [
      {
        record: 'distribution',
        id: uuid(100 + n),
        roomId: ROOM,
        recipientName: 'x',
        recipientEmail: `person.${n}@globex.example`,
      },
      {
        record: 'event',
        key: `event ${n} of ${batch}`,
        type: 'room_visit',
        occurredAt: '2026-09-02',
        distributionId: uuid(100 + n),
      },
    ]);
    await capture(db, ...records.flat());
    count('captured', records.length);
  };
  const begin = beginAttemptsInBatches(db, LEASE);
  const record = recordOutcomesInBatches(db, RULES);
  const attempt = async () => {
    const claims = await db.$queryRaw<Claim[]>`
      UPDATE pending_deliveries SET ready = false, claim_token = gen_random_uuid(), lease_expires_at = now() + interval '1 minute'
      WHERE company_id = ${COMPANY} AND id = ANY (ARRAY(
        SELECT id FROM pending_deliveries WHERE company_id = ${COMPANY} AND claim_token IS NULL
        ORDER BY random() LIMIT 10 FOR UPDATE SKIP LOCKED))
      RETURNING company_id AS "companyId", id AS "deliveryId", claim_token::text AS "claimToken"`;
    await Promise.all(
      claims.map(async (claim) => {
        // The rows that an attempt needs exist until it has ended.
        const beginning = await begin(claim);
        expect(beginning.kind).toBe('begun');
        if (beginning.kind === 'begun') await record(beginning.attempt, pick(RESULTS));
      }),
    );
    count('attempted', claims.length);
    return claims.length > 0;
  };
  const retry = async () => {
    const dead = await pickDelivery('dead');
    if (dead === undefined) return;
    const result = await db.transaction((tx) => retryDelivery(tx, COMPANY, dead.endpointId, dead.id));
    count(result);
  };
  const resend = async () => {
    const one = await pickDelivery(null);
    if (one === undefined) return;
    const resent = await inFeedTransaction(db, COMPANY, (feed) =>
      resendDelivery(feed, one.endpointId, one.id),
    );
    count(resent === 'unknown' ? 'removed before it was resent' : 'resent');
  };
  const resendAll = async () => {
    const filter = { since: null, until: null, eventTypes: null, cursor: 0n };
    const batch = await inFeedTransaction(db, COMPANY, (feed) =>
      resendBatch(feed, pick(endpointIds), filter),
    );
    if (typeof batch === 'object') count('resent in batches', batch.count);
  };
  const removeOld = async (keptMs = random(KEPT_MS)) => {
    const before = new Date(Date.now() - keptMs);
    for (let cursor: bigint | null = 0n; cursor !== null;) {
      const batch = await removeOldDeliveries(db, { companyId: COMPANY, before }, cursor);
      count('removed', batch.removed.webhook_deliveries);
      count('events removed', batch.removed.webhook_events);
      ({ cursor } = batch);
    }
  };
  const erase = async () => {
    await capture(db, { record: 'erasePerson', email: `person.${random(5)}@globex.example` });
    await finishErasures(db);
    count('erased');
  };

  const isDone = () => Object.entries(GOALS).every(([what, goal]) => (done[what] ?? 0) >= goal);
  const repeat = async (action: () => Promise<unknown>) => {
    while (!isDone()) {
      await action();
      await sleep(random(20));
    }
  };
  await Promise.all([
    repeat(captureEvents),
    repeat(attempt),
    repeat(attempt),
    repeat(retry),
    repeat(resend),
    repeat(resendAll),
    repeat(() => removeOld()),
    repeat(() => removeOld()),
    repeat(erase),
    repeat(async () => expect(await findOrphans()).toEqual(NO_ORPHANS)),
  ]);
  expect(await findOrphans()).toEqual(NO_ORPHANS);

  // In the end, all rows are removed.
  while (await attempt());
  await removeOld(-86_400_000);
  const left = await db.$queryRaw<{ rows: number }[]>`
    SELECT (SELECT count(*) FROM deliveries)::int + (SELECT count(*) FROM webhook_attempts)::int
      + (SELECT count(*) FROM webhook_events)::int + (SELECT count(*) FROM webhook_delivery_subjects)::int AS rows`;
  expect(left).toEqual([{ rows: 0 }]);
}, 120_000);
