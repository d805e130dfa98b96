import { createHash, randomUUID } from 'node:crypto';
import type { Database, Queryable } from '@deal-signals/db/database';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { NOTHING } from '@deal-signals/outbox/about';
import { findSubscribers, recordEvents } from '@deal-signals/outbox/record-events';
import { type Erasure, MOST_IDS } from '@deal-signals/serializers/erasures/erasure';
import { jsonOf } from '@deal-signals/serializers/object-text';
import { findAuditRecords, rewriteDetails } from './audit-details.ts';
import { type ErasureRun, findNames, lookThrough, type Means, meansOf } from './erasure-run.ts';
import { groupsOf, type Part } from './find-part.ts';
import { findHeldRecords, rewriteHeldRecords } from './held-records.ts';
import { addNames } from './names.ts';
import { ACTIVITY_TABLES, ERASED_TABLES } from './places.ts';
import { rewriteRows } from './rewrite-rows.ts';
import { findAttempts, findBodies, rewriteAttempts, rewriteBodies } from './webhook-copies.ts';
import { type SkippedRow, writeRows } from './write-rows.ts';

/** Rows that one transaction rewrites, while captures of the workspace wait: about ten milliseconds, and fewer if they are large. */
const CHUNK = { rows: 20, bytes: 262_144 };
/** Transactions of a step, so that it ends while its worker has the erasure. */
const MOST_CHUNKS = 50;
/** How long an erasure rests after each transaction, as a multiple of what that took: captures get three quarters of the time. */
const REST = 3;

/** How an erasure goes on. */
export interface Pace {
  /** Waits between two transactions, so that captures of the workspace have their turn. What it throws ends the step. */
  rest: (ms: number) => Promise<unknown>;
  /**
   * For how long statements that read the body of a webhook before it was rewritten may still run, in milliseconds: they read
   * one row.
   */
  stragglersMs: number;
  /** Called for each row that cannot be rewritten. The erasure goes on without it. */
  onSkipped: (row: SkippedRow) => void;
}

/** What a place says that has to wait. */
const WAIT = Symbol('wait');

/** What a step of an erasure has come to: where to go on, whether it has to wait first, or that it is done. */
type Step = { place: string; after: string | null; waits?: true } | 'done';

interface Place {
  name: string;
  /** Goes on from a key. Returns the last key that it has dealt with, and null at the end. */
  advance: (context: Context, after: string | null) => Promise<string | null | typeof WAIT>;
}

interface Context extends Pace {
  db: Database;
  run: ErasureRun;
  means: Means;
}

/**
 * The places that are searched, in this order. The names come first, because they are what is searched for, and then what can still
 * become rows. Webhooks come last: what they show is built from the other tables.
 */
const PLACES: readonly Place[] = [
  ...ACTIVITY_TABLES.map((table) => ({
    name: `names of ${table.name}`,
    async advance({ db, run }: Context, after: string | null) {
      if (run.kind === 'room') return null;
      const { names, last } = await findNames(db, table, run, after);
      await addNames(db, run.companyId, run.id, names);
      return last;
    },
  })),
  {
    // What is released before this is found in the tables, and what is released later is clean.
    name: 'heldRecords',
    async advance(context, after) {
      const { db, run, means } = context;
      const part = await findHeldRecords(db, run, means, after);
      return rewrite(context, part, (ids) =>
        inFeedTransaction(db, run.companyId, (feed) => rewriteHeldRecords(feed, means, ids)),
      );
    },
  },
  ...ERASED_TABLES.map((table) => ({
    name: table.name,
    async advance(context: Context, after: string | null) {
      const { db, run, means } = context;
      const part = await lookThrough(db, table, run, means, after);
      return rewrite(context, part, (keys) =>
        inFeedTransaction(db, run.companyId, async (feed) => {
          const mentions = await rewriteRows(feed, run, table, means, keys);
          if (run.kind === 'person') await noteMentions(feed, run, table.activity, mentions);
        }),
      );
    },
  })),
  {
    name: 'auditRecords',
    async advance(context, after) {
      const { db, run, means } = context;
      const part = await findAuditRecords(db, run, means, after);
      return rewrite(context, part, (ids) => rewriteDetails(db, run, means, ids));
    },
  },
  {
    name: 'webhookEvents',
    async advance(context, after) {
      const { db, run, means } = context;
      const part = await findBodies(db, run, means, after);
      return rewrite(context, part, (keys) => rewriteBodies(db, run, means, keys));
    },
  },
  {
    name: 'stragglers',
    async advance({ db, run, stragglersMs, rest }, after) {
      const { companyId, id } = run;
      if (after === null) {
        await rest(stragglersMs);
        // Whoever claims from now on reads the new bodies. An attempt that begins changes its claim.
        await db.$executeRaw`
          UPDATE erasure_runs SET claims = ARRAY(
            SELECT claim_token FROM webhook_deliveries
            WHERE company_id = ${companyId} AND claim_token IS NOT NULL AND attempt_begun)
          WHERE company_id = ${companyId} AND id = ${id}::uuid`;
        return 'claimed';
      }
      const [left] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM webhook_deliveries
        WHERE company_id = ${companyId} AND claim_token IS NOT NULL AND claim_token = ANY (${[...run.claims]}::uuid[])`;
      return left.count > 0 ? WAIT : null;
    },
  },
  {
    name: 'webhookAttempts',
    async advance(context, after) {
      const { db, run, means } = context;
      const part = await findAttempts(db, run, means, after);
      return rewrite(context, part, (keys) => rewriteAttempts(db, run, keys));
    },
  },
];

/** Where every erasure begins. */
export const FIRST_PLACE = PLACES[0]!.name;

/**
 * Goes on with an erasure. It may be ended at any moment and repeated: what was rewritten is not found again, and where it is gets
 * stored after each step.
 *
 * @returns null when everything is done, and consumers are told.
 * @throws database errors.
 */
export async function advanceErasure(
  db: Database,
  run: ErasureRun,
  pace: Pace,
): Promise<{ waits: boolean } | null> {
  const step = await nextStep(db, run, pace);
  if (step === 'done') {
    await inFeedTransaction(db, run.companyId, (feed) => finish(feed, run));
    return null;
  }
  await db.$executeRaw`
    UPDATE erasure_runs SET place = ${step.place}, after = ${step.after}
    WHERE company_id = ${run.companyId} AND id = ${run.id}::uuid`;
  return { waits: step.waits === true };
}

async function nextStep(db: Database, run: ErasureRun, pace: Pace): Promise<Step> {
  const at = PLACES.findIndex(({ name }) => name === run.place);
  const place = PLACES[at];
  if (place === undefined)
    throw new Error(`an erasure is at ${run.place}, which is no place of this version`);
  const after = await place.advance({ ...pace, db, run, means: meansOf(run) }, run.after);
  if (after === WAIT) return { place: run.place, after: run.after, waits: true };
  if (after !== null) return { place: run.place, after };
  const next = PLACES[at + 1];
  return next === undefined ? 'done' : { place: next.name, after: null };
}

/** Remembers events or views whose texts were changed, and writes an entry when there are as many as an entry names. */
async function noteMentions(
  feed: FeedTransaction,
  run: ErasureRun,
  activity: 'eventEnd' | 'viewEnd' | undefined,
  ids: readonly bigint[],
): Promise<void> {
  if (activity === undefined || ids.length === 0) return;
  const { tx, companyId } = feed;
  const column = Prisma.raw(activity === 'eventEnd' ? 'event_ids' : 'view_ids');
  const [noted] = await tx.$queryRaw<{ ids: bigint[] }[]>(Prisma.sql`
    UPDATE erasure_runs SET ${column} = ${column} || ${[...ids]}::bigint[]
    WHERE company_id = ${companyId} AND id = ${run.id}::uuid RETURNING ${column} AS ids`);
  // None if somebody else has finished it, who has told all of this.
  if (noted === undefined || noted.ids.length <= MOST_IDS - CHUNK.rows) return;
  const named = activity === 'eventEnd' ? { eventIds: noted.ids } : { viewIds: noted.ids };
  await writeEntry(feed, run, randomUUID(), named);
  await tx.$executeRaw(Prisma.sql`
    UPDATE erasure_runs SET ${column} = '{}' WHERE company_id = ${companyId} AND id = ${run.id}::uuid`);
}

/** Writes the last entries, and removes what only an erasure under way has to know. */
async function finish(feed: FeedTransaction, run: ErasureRun): Promise<void> {
  const { tx, companyId } = feed;
  const [removed] = await tx.$queryRaw<Pick<ErasureRun, 'eventIds' | 'viewIds'>[]>`
    DELETE FROM erasure_runs WHERE company_id = ${companyId} AND id = ${run.id}::uuid
    RETURNING event_ids AS "eventIds", view_ids AS "viewIds"`;
  // Somebody else has finished it.
  if (removed === undefined) return;
  let { personIds, distributionIds } = run;
  while (Math.max(personIds.length, distributionIds.length) > MOST_IDS) {
    await writeEntry(feed, run, randomUUID(), {
      personIds: personIds.slice(0, MOST_IDS),
      distributionIds: distributionIds.slice(0, MOST_IDS),
    });
    personIds = personIds.slice(MOST_IDS);
    distributionIds = distributionIds.slice(MOST_IDS);
  }
  await writeEntry(feed, run, run.id, { ...removed, personIds, distributionIds });
}

/** Writes an entry of the feed, and its webhook event. */
async function writeEntry(
  feed: FeedTransaction,
  { id: erasureId, kind, roomId, email, eventEnd }: ErasureRun,
  id: string,
  named: Partial<Pick<ErasureRun, 'personIds' | 'distributionIds' | 'eventIds' | 'viewIds'>>,
): Promise<void> {
  const { tx, companyId, at } = feed;
  const entry: Erasure = {
    id,
    erasureId,
    kind,
    buyerSpaceId: roomId,
    emailSha256: email === null ? null : createHash('sha256').update(email).digest('hex'),
    personIds: [...(named.personIds ?? [])],
    distributionIds: [...(named.distributionIds ?? [])],
    engagementEventIds: (named.eventIds ?? []).map(String),
    engagementViewIds: (named.viewIds ?? []).map(String),
    engagementBefore: kind === 'room' ? String(eventEnd) : null,
    erasedAt: at.toISOString(),
  };
  const text = jsonOf(entry);
  await tx.$executeRaw`
    INSERT INTO erasures (company_id, id, erased_at, object_text) VALUES (${companyId}, ${id}::uuid, ${at}, ${text})`;
  const event = { type: `${kind}.erased` as const, data: text, about: { ...NOTHING, roomId } };
  await recordEvents(feed, [event], await findSubscribers(tx, companyId));
}

/** Rewrites what was found in a part, a few rows at a time. Returns the last key that it has dealt with; null at the end. */
async function rewrite(
  { run, rest, onSkipped }: Context,
  { keys, bytes, last }: Part,
  write: (keys: string[]) => Promise<void>,
): Promise<string | null> {
  let written = 0;
  let lastWritten: string | null = null;
  for (const chunk of groupsOf(keys, bytes, CHUNK)) {
    if (written === MOST_CHUNKS) return lastWritten;
    const startedMs = performance.now();
    await writeRows(run.place, chunk, write, onSkipped);
    written += 1;
    lastWritten = chunk.at(-1)!;
    await rest(REST * (performance.now() - startedMs));
  }
  return last;
}

const RUN_COLUMNS = Prisma.raw(`
  company_id AS "companyId", id, kind, room_id AS "roomId", email, names, persons, person_ids AS "personIds",
  distribution_ids AS "distributionIds", event_end AS "eventEnd", view_end AS "viewEnd", place, after,
  event_ids AS "eventIds", view_ids AS "viewIds", claims`);

/** Reads an erasure under way; null if there is no such one. */
export async function readErasure(db: Queryable, companyId: number, id: string): Promise<ErasureRun | null> {
  const [run] = await db.query<ErasureRun>(Prisma.sql`
    SELECT ${RUN_COLUMNS} FROM erasure_runs WHERE company_id = ${companyId} AND id = ${id}::uuid`);
  return run ?? null;
}

/** How long a worker has an erasure for a step. A step that takes longer is taken by somebody else as well, which does no harm. */
const LEASE_SECONDS = 60;

/** Takes the erasure that has waited longest and that no worker has, for its next step; null if there is none. */
export async function takeErasure(db: Database): Promise<ErasureRun | null> {
  const [run] = await db.$queryRaw<ErasureRun[]>`
    UPDATE erasure_runs SET leased_until = clock_timestamp() + ${LEASE_SECONDS}::int * interval '1 second'
    WHERE (company_id, id) IN (
      SELECT company_id, id FROM erasure_runs WHERE leased_until < clock_timestamp()
      ORDER BY requested_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    )
    RETURNING ${RUN_COLUMNS}`;
  return run ?? null;
}

/** Gives an erasure back, so that the next step can be taken at once. */
export async function giveBackErasure(db: Database, { companyId, id }: ErasureRun): Promise<void> {
  await db.$executeRaw`
    UPDATE erasure_runs SET leased_until = '-infinity' WHERE company_id = ${companyId} AND id = ${id}::uuid`;
}
