import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { findNames, findPart, lookThrough, meansOf, type Part, type Target } from './erasure-run.ts';
import { countPeople, readTraces } from './people.ts';
import { ACTIVITY_TABLES, ERASED_TABLES } from './places.ts';
import { findBodies } from './webhook-copies.ts';
import type { Whom } from './whom.ts';

/** What an erasure would touch. */
export interface ErasurePreview {
  people: number;
  distributions: number;
  /** The rows of each table in which something would be erased, by the names of `ERASED_TABLES`. */
  rows: Record<string, number>;
  heldRecords: number;
  auditRecords: number;
  webhookEvents: number;
  /** Deliveries with a response that repeats the address or a name. */
  responses: number;
  /** Whether everything was counted in the time that there was. */
  isComplete: boolean;
}

/** How a preview reads. */
export interface PreviewOptions {
  /** How long to look, in milliseconds. */
  budgetMs: number;
  /** Runs each statement, one after the other, when there is a connection for it. */
  hold: <T>(read: () => Promise<T>) => Promise<T>;
}

/** Rows of the audit log and deliveries that one statement looks through. */
const PART = 1_000;
/** Above every id: a preview concerns everything that is recorded. */
const END = 2n ** 63n - 1n;

/** Counts what an erasure would touch: it looks through the tables as the erasure would, and changes and locks nothing. */
export async function previewErasure(
  db: Database,
  companyId: number,
  whom: Whom,
  { budgetMs, hold }: PreviewOptions,
): Promise<ErasurePreview> {
  const endMs = performance.now() + budgetMs;
  const { kind, roomId, email } = whom;
  const people = await hold(() => countPeople(db, companyId, whom));
  const traces = await hold(() => readTraces(db, companyId, whom));
  let isComplete = true;
  async function walk(part: (after: string | null) => Promise<string | null>): Promise<void> {
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      if (performance.now() > endMs) isComplete = false;
      if (!isComplete) return;
      const from: string | null = after;
      after = await hold(() => part(from));
    }
  }
  async function count(find: (after: string | null) => Promise<Part>): Promise<number> {
    let found = 0;
    await walk(async (after) => {
      const { keys, last } = await find(after);
      found += keys.length;
      return last;
    });
    return found;
  }
  const names = new Set(traces.names);
  const { persons } = traces;
  const target: Target = { companyId, kind, roomId, email, names: [], persons, eventEnd: END, viewEnd: END };
  for (const table of kind === 'person' ? ACTIVITY_TABLES : []) {
    await walk(async (after) => {
      const part = await findNames(db, table, target, after);
      for (const name of part.names) names.add(name);
      return part.last;
    });
  }
  const named: Target = { ...target, names: [...names] };
  const means = meansOf(named);
  const rows: Record<string, number> = {};
  for (const table of ERASED_TABLES) {
    rows[table.name] = await count((after) => lookThrough(db, table, named, means, after));
  }
  const webhookEvents = await count((after) => findBodies(db, named, means, after));
  const { search } = means;
  // What these hold is not of a room, or counted with the webhooks of the room.
  const counted = search === null ? [] : OTHER_TEXTS;
  const [heldRecords = 0, auditRecords = 0, responses = 0] = await inOrder(counted, ({ table, text }) =>
    count((after) =>
      findPart(db, {
        table,
        key: Prisma.sql`id`,
        keyType: Prisma.sql`bigint`,
        where: Prisma.sql`company_id = ${companyId}`,
        condition: Prisma.sql`coalesce(${text} ~ ${search!.pattern}, false)`,
        after,
        most: PART,
      }),
    ),
  );
  const { distributions } = traces;
  return { people, distributions, rows, heldRecords, auditRecords, webhookEvents, responses, isComplete };
}

/** The tables that places of their own search, with their texts. */
const OTHER_TEXTS = [
  { table: Prisma.sql`held_records`, text: Prisma.sql`concat_ws(' ', key, record)` },
  { table: Prisma.sql`audit_records`, text: Prisma.sql`details::text` },
  {
    table: Prisma.sql`webhook_deliveries`,
    text: Prisma.sql`(
      SELECT string_agg(a.response_excerpt, ' ') FROM webhook_attempts a
      WHERE a.company_id = webhook_deliveries.company_id AND a.delivery_id = webhook_deliveries.id)`,
  },
];

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
