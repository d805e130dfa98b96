import { createHash, randomUUID } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { NOTHING } from '@deal-signals/outbox/about';
import { findSubscribers, recordEvents } from '@deal-signals/outbox/record-events';
import { type Erasure, MAX_IDS } from '@deal-signals/serializers/erasures/erasure';
import { jsonOf } from '@deal-signals/serializers/object-text';
import { findAuditRecords, rewriteDetails } from './audit-details.ts';
import {
  type ErasureRun,
  findNames,
  scanTable,
  type ErasureTools,
  buildErasureTools,
} from './erasure-run.ts';
import { groupsOf, type Batch } from './find-batch.ts';
import { addNames } from './names.ts';
import { endOf, eraseNextPeople, FROM_START } from './people.ts';
import { ACTIVITY_TABLES, ERASED_TABLES } from './erased-tables.ts';
import { rewriteRows } from './rewrite-rows.ts';
import { endTurn, type Pause } from './turns.ts';
import { findAttempts, findBodies, rewriteAttempts, rewriteBodies } from './webhook-copies.ts';
import { type SkippedRow, writeRows } from './write-rows.ts';

/** Rows that one transaction rewrites, while captures of the workspace wait: about ten milliseconds, and fewer if they are large. */
const CHUNK = { rows: 20, bytes: 262_144 };
/** Maximum duration of a step, in milliseconds. The erasures of other workspaces wait for its worker. */
const STEP_MS = 500;
/** The pause of a workspace after a step, as a multiple of the time in transactions, so captures get three quarters of the time. */
const REST = 3;
/** The interval of the checks whether attempts have ended, in milliseconds. */
const ASK_AGAIN_MS = 1_000;

/** The result of a stage that must wait: for how long, and where it continues. */
interface Wait {
  waitMs: number;
  after: string | null;
}

/** Where the next step continues and how long to wait before it, or `done`. */
type Step = { stage: string; after: string | null; waitMs: number } | 'done';

interface Stage {
  name: string;
  /** Continues after a key. Returns the last key that is finished, or null at the end. */
  advance: (context: Context, after: string | null) => Promise<string | null | Wait>;
}

/** Called for each row that cannot be rewritten. The erasure continues without it. */
export type OnSkipped = (row: SkippedRow) => void;

interface Context {
  db: Database;
  onSkipped: OnSkipped;
  run: ErasureRun;
  tools: ErasureTools;
  /** The time that the transactions of this step took. */
  spent: Spent;
}

/** The time that transactions have taken, while captures of the workspace waited. */
interface Spent {
  ms: number;
}

/** Where an erasure begins that has more people than one transaction erases. */
export const PEOPLE = 'people';

/**
 * The stages of an erasure, in this order. The people come first, because nothing is searched until all are erased, then the names,
 * because they are what is searched for. Webhooks come last: what they show is built from the other tables.
 */
const STAGES: readonly Stage[] = [
  {
    name: PEOPLE,
    async advance({ db, run, spent }, start) {
      let after = start;
      do {
        const from: string = after ?? FROM_START;
        after = await timed(spent, () =>
          inFeedTransaction(db, run.companyId, (feed) => advancePeople(feed, run, from)),
        );
      } while (after !== null && spent.ms < STEP_MS);
      return after;
    },
  },
  ...ACTIVITY_TABLES.map((table) => ({
    name: `names of ${table.name}`,
    async advance({ db, run }: Context, after: string | null) {
      if (run.kind === 'room') return null;
      const { names, last } = await findNames(db, table, run, after);
      await addNames(db, run.companyId, run.id, names);
      return last;
    },
  })),
  ...ERASED_TABLES.map((table) =>
    rewriteStage(
      table.name,
      (db, run, tools, after) => scanTable(db, table, run, tools, after),
      (db, run, tools, keys) =>
        inFeedTransaction(db, run.companyId, async (feed) => {
          const mentions = await rewriteRows(feed, run, table, tools, keys);
          if (run.kind === 'person') await storeMentions(feed, run, table.activity, mentions);
        }),
    ),
  ),
  rewriteStage('auditRecords', findAuditRecords, rewriteDetails),
  rewriteStage('webhookEvents', findBodies, rewriteBodies),
  {
    name: 'inFlightAttempts',
    async advance({ db, run }, after) {
      const { companyId, id } = run;
      if (after === null) {
        // An attempt reads the body under its claim, so only claims that exist now can have read the old body; later claims read the
        // new one. This stage waits until none of them is held. A renewed lease keeps its token, and every other end removes it.
        await db.$executeRaw`
          UPDATE erasure_runs SET claims = ARRAY(
            SELECT claim_token FROM pending_deliveries WHERE company_id = ${companyId} AND lease_expires_at IS NOT NULL)
          WHERE company_id = ${companyId} AND id = ${id}::uuid`;
        return 'claimed';
      }
      const [left] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM pending_deliveries
        WHERE company_id = ${companyId} AND lease_expires_at IS NOT NULL AND claim_token = ANY (${[...run.claims]}::uuid[])`;
      return left.count > 0 ? { waitMs: ASK_AGAIN_MS, after } : null;
    },
  },
  rewriteStage('webhookAttempts', findAttempts, rewriteAttempts),
];

/** Where an erasure goes on once its people are erased. */
export const AFTER_PEOPLE = STAGES[1]!.name;

/**
 * Continues an erasure by one step, without a pause between its transactions. A step can be interrupted at any moment and repeated: rows
 * that were rewritten are not found again, and the position is stored after each step.
 *
 * @returns when to take the next step; null when everything is done and consumers are notified.
 * @throws database errors.
 */
export async function advanceErasure(
  db: Database,
  run: ErasureRun,
  onSkipped: OnSkipped,
): Promise<Pause | null> {
  const spent: Spent = { ms: 0 };
  const step = await nextStep({ onSkipped, db, run, tools: buildErasureTools(run), spent });
  if (step === 'done') {
    await inFeedTransaction(db, run.companyId, (feed) => finish(feed, run));
    return null;
  }
  await db.$executeRaw`
    UPDATE erasure_runs SET stage = ${step.stage}, after = ${step.after}
    WHERE company_id = ${run.companyId} AND id = ${run.id}::uuid`;
  return { waitMs: step.waitMs, restMs: REST * spent.ms };
}

async function nextStep(context: Context): Promise<Step> {
  const { run } = context;
  const at = STAGES.findIndex(({ name }) => name === run.stage);
  const stage = STAGES[at];
  if (stage === undefined)
    throw new Error(`an erasure is at ${run.stage}, which is no stage of this version`);
  const after = await stage.advance(context, run.after);
  if (typeof after === 'string') return { stage: run.stage, after, waitMs: 0 };
  if (after !== null) return { stage: run.stage, ...after };
  const next = STAGES[at + 1];
  return next === undefined ? 'done' : { stage: next.name, after: null, waitMs: 0 };
}

/** Erases the next people and stores their ids. Returns where to continue, or null when all are erased. */
async function advancePeople(feed: FeedTransaction, run: ErasureRun, from: string): Promise<string | null> {
  const { tx, companyId } = feed;
  const [stored] = await tx.$queryRaw<Pick<ErasureRun, 'personIds' | 'distributionIds'>[]>`
    SELECT person_ids AS "personIds", distribution_ids AS "distributionIds" FROM erasure_runs
    WHERE company_id = ${companyId} AND id = ${run.id}::uuid AND stage = ${PEOPLE} FOR NO KEY UPDATE`;
  // None if another worker has erased the last of them. People who were captured since then are not erased.
  if (stored === undefined) return null;
  const { kind } = run;
  const erased = await eraseNextPeople(feed, { ...run, onlyRoomId: null }, from);
  const left = await writeFullEntries(feed, run, {
    personIds: [...stored.personIds, ...erased.personIds],
    distributionIds: [...stored.distributionIds, ...erased.distributionIds],
  });
  const end = endOf(feed, kind);
  await tx.$executeRaw`
    UPDATE erasure_runs SET person_ids = ${[...left.personIds]}::uuid[], distribution_ids = ${[...left.distributionIds]}::uuid[],
      people = people + ${erased.personIds.length}::int, event_end = ${end.event}, view_end = ${end.view},
      stage = ${erased.after === null ? AFTER_PEOPLE : PEOPLE}, after = ${erased.after}
    WHERE company_id = ${companyId} AND id = ${run.id}::uuid`;
  await addNames(tx, companyId, run.id, erased.names);
  return erased.after;
}

/** Stores the ids of events or views whose texts were changed, and writes an entry once there are enough for one. */
async function storeMentions(
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
  // None if another worker has finished it, which has also announced it.
  if (noted === undefined || noted.ids.length <= MAX_IDS - CHUNK.rows) return;
  const named = activity === 'eventEnd' ? { eventIds: noted.ids } : { viewIds: noted.ids };
  await writeEntry(feed, run, randomUUID(), named);
  await tx.$executeRaw(Prisma.sql`
    UPDATE erasure_runs SET ${column} = '{}' WHERE company_id = ${companyId} AND id = ${run.id}::uuid`);
}

/** The people and share links that an entry names. */
type NamedPeople = Pick<ErasureRun, 'personIds' | 'distributionIds'>;

/** Writes entries while there are more people or share links than an entry names. Returns those that are left. */
async function writeFullEntries(
  feed: FeedTransaction,
  run: ErasureRun,
  { personIds, distributionIds }: NamedPeople,
): Promise<NamedPeople> {
  let left: NamedPeople = { personIds, distributionIds };
  while (Math.max(left.personIds.length, left.distributionIds.length) > MAX_IDS) {
    await writeEntry(feed, run, randomUUID(), {
      personIds: left.personIds.slice(0, MAX_IDS),
      distributionIds: left.distributionIds.slice(0, MAX_IDS),
    });
    left = {
      personIds: left.personIds.slice(MAX_IDS),
      distributionIds: left.distributionIds.slice(MAX_IDS),
    };
  }
  return left;
}

/** Writes the last entries, and removes what only an erasure under way has to know. */
async function finish(feed: FeedTransaction, run: ErasureRun): Promise<void> {
  const { tx, companyId } = feed;
  const [removed] = await tx.$queryRaw<(NamedPeople & Pick<ErasureRun, 'eventIds' | 'viewIds' | 'people'>)[]>`
    DELETE FROM erasure_runs WHERE company_id = ${companyId} AND id = ${run.id}::uuid
    RETURNING event_ids AS "eventIds", view_ids AS "viewIds", person_ids AS "personIds", distribution_ids AS "distributionIds", people`;
  // Another worker has finished it.
  if (removed === undefined) return;
  const left = await writeFullEntries(feed, run, removed);
  await writeEntry(feed, run, run.id, { ...removed, ...left });
  await endTurn(tx, companyId);
}

/** Writes an entry of the feed, and its webhook event. The last one has the id of the erasure. */
async function writeEntry(
  feed: FeedTransaction,
  { id: erasureId, kind, roomId, email, eventEnd }: ErasureRun,
  id: string,
  named: Partial<NamedPeople & Pick<ErasureRun, 'eventIds' | 'viewIds' | 'people'>>,
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
    engagementBefore: kind === 'room' && id === erasureId ? String(eventEnd) : null,
    erasedAt: at.toISOString(),
  };
  const text = jsonOf(entry);
  await tx.$executeRaw`
    INSERT INTO erasures (company_id, id, erased_at, object_text, people)
    VALUES (${companyId}, ${id}::uuid, ${at}, ${text}, ${named.people ?? 0}::int)`;
  const event = {
    type: `${kind}.erased` as const,
    objectId: id,
    position: at,
    data: text,
    about: { ...NOTHING, roomId },
  };
  await recordEvents(feed, [event], await findSubscribers(tx, companyId));
}

/** Creates a stage that finds rows batch by batch and rewrites them. */
function rewriteStage(
  name: string,
  find: (db: Database, run: ErasureRun, tools: ErasureTools, after: string | null) => Promise<Batch>,
  write: (db: Database, run: ErasureRun, tools: ErasureTools, keys: string[]) => Promise<void>,
): Stage {
  return {
    name,
    async advance(context, after) {
      const { db, run, tools } = context;
      const batch = await find(db, run, tools, after);
      return rewrite(context, batch, (keys) => write(db, run, tools, keys));
    },
  };
}

/** Rewrites what was found in a batch, a few rows at a time. Returns the last key that it has handled; null at the end. */
async function rewrite(
  { run, spent, onSkipped }: Context,
  { keys, bytes, last }: Batch,
  write: (keys: string[]) => Promise<void>,
): Promise<string | null> {
  let lastWritten: string | null = null;
  for (const chunk of groupsOf(keys, bytes, CHUNK)) {
    // What is left is found again by the next step.
    if (lastWritten !== null && spent.ms >= STEP_MS) return lastWritten;
    await timed(spent, () => writeRows(run.stage, chunk, write, onSkipped));
    lastWritten = chunk.at(-1)!;
  }
  return last;
}

/** Adds the time that a transaction takes. */
async function timed<T>(spent: Spent, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  spent.ms += performance.now() - startedMs;
  return result;
}
