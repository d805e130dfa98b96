import type { Database } from '@deal-signals/db/database';
import { GREATEST_ID } from '@deal-signals/db/feeds/position';
import { findAuditRecords } from './audit-details.ts';
import { findNames, scanTable, buildErasureTools, type SearchTarget } from './erasure-run.ts';
import type { Batch } from './find-batch.ts';
import { namesInOrder } from './names.ts';
import { countPeople, readTraces } from './people.ts';
import { ACTIVITY_TABLES, ERASED_TABLES, type ErasedTableName } from './erased-tables.ts';
import { findAttempts, findBodies } from './webhook-copies.ts';
import type { ErasureTarget } from './erasure-target.ts';

/** What an erasure would touch. */
export interface ErasurePreview {
  people: number;
  distributions: number;
  /** The rows of each table in which something would be erased. */
  rows: Record<ErasedTableName, number>;
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

/** In place of the id of an erasure that has begun. */
const NO_ERASURE = '00000000-0000-0000-0000-000000000000';

/** Counts what an erasure would touch. It scans the tables as the erasure would, and neither changes nor locks anything. */
export async function previewErasure(
  db: Database,
  companyId: number,
  target: ErasureTarget,
  { budgetMs, hold }: PreviewOptions,
): Promise<ErasurePreview> {
  const endMs = performance.now() + budgetMs;
  const { kind, roomId, identity, email } = target;
  const people = await hold(() => countPeople(db, companyId, target));
  const traces = await hold(() => readTraces(db, companyId, target));
  let isComplete = true;
  async function walk(readBatch: (after: string | null) => Promise<string | null>): Promise<void> {
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      if (performance.now() > endMs) isComplete = false;
      if (!isComplete) return;
      const from: string | null = after;
      after = await hold(() => readBatch(from));
    }
  }
  async function count(find: (after: string | null) => Promise<Batch>): Promise<number> {
    let found = 0;
    await walk(async (after) => {
      const { keys, last } = await find(after);
      found += keys.length;
      return last;
    });
    return found;
  }
  const names = new Set(traces.names);
  const unnamed: SearchTarget = {
    companyId,
    kind,
    roomId,
    identity,
    email,
    names: [],
    // A preview concerns everything that is recorded.
    eventEnd: GREATEST_ID,
    viewEnd: GREATEST_ID,
  };
  for (const table of kind === 'person' ? ACTIVITY_TABLES : []) {
    await walk(async (after) => {
      const batch = await findNames(db, table, unnamed, after);
      for (const name of batch.names) names.add(name);
      return batch.last;
    });
  }
  const named: SearchTarget = { ...unnamed, names: namesInOrder([], [...names]) };
  const tools = buildErasureTools(named);
  const rows = {} as ErasurePreview['rows'];
  for (const table of ERASED_TABLES) {
    rows[table.name] = await count((after) => scanTable(db, table, named, tools, after));
  }
  const webhookEvents = await count((after) => findBodies(db, named, tools, after));
  // What these hold is not of a room, or counted with the webhooks of the room.
  const isSearched = tools.matcher !== null;
  const auditRecords = isSearched ? await count((after) => findAuditRecords(db, named, tools, after)) : 0;
  // Whose events a delivery is about is counted with the bodies.
  const sent = { ...named, identity: null, id: NO_ERASURE };
  const responses = isSearched ? await count((after) => findAttempts(db, sent, tools, after)) : 0;
  const { distributions } = traces;
  return { people, distributions, rows, auditRecords, webhookEvents, responses, isComplete };
}
