import type { Database } from '@deal-signals/db/database';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { readErasure } from './advance.ts';
import { beginErasure } from './begin.ts';
import { type ErasureRun, findNames, lookThrough, meansOf, type Target } from './erasure-run.ts';
import { ACTIVITY_TABLES, ERASED_TABLES } from './places.ts';
import { findBodies } from './webhook-copies.ts';
import type { Whom } from './whom.ts';

/** What an erasure would touch. */
export interface ErasurePreview {
  people: number;
  distributions: number;
  /** The rows of each table in which something would be erased, by the names of `ERASED_TABLES`. */
  rows: Record<string, number>;
  webhookEvents: number;
  /** Whether everything was counted in the time that there was. */
  isComplete: boolean;
}

/**
 * Counts what an erasure would touch: it begins the erasure, undoes that, and looks through the tables as the erasure would.
 *
 * @param whom finds whom to erase, in the transaction that is undone; what it throws is thrown.
 * @param budgetMs how long to look.
 */
export async function previewErasure(
  db: Database,
  companyId: number,
  whom: (feed: FeedTransaction) => Promise<Whom>,
  budgetMs: number,
): Promise<ErasurePreview> {
  const endMs = performance.now() + budgetMs;
  const run = await tried(db, companyId, whom);
  let isComplete = true;
  async function walk(part: (after: string | null) => Promise<string | null>): Promise<void> {
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      if (performance.now() > endMs) isComplete = false;
      if (!isComplete) return;
      after = await part(after);
    }
  }
  const names = new Set(run.names);
  for (const table of run.kind === 'person' ? ACTIVITY_TABLES : []) {
    await walk(async (after) => {
      const part = await findNames(db, table, run, after);
      for (const name of part.names) names.add(name);
      return part.last;
    });
  }
  const target: Target = { ...run, names: [...names] };
  const means = meansOf(target);
  const rows: Record<string, number> = {};
  for (const table of ERASED_TABLES) {
    rows[table.name] = 0;
    await walk(async (after) => {
      const part = await lookThrough(db, table, target, means, after);
      rows[table.name]! += part.keys.length;
      return part.last;
    });
  }
  let webhookEvents = 0;
  await walk(async (after) => {
    const part = await findBodies(db, target, means, after);
    webhookEvents += part.keys.length;
    return part.last;
  });
  return {
    people: run.personIds.length,
    distributions: run.distributionIds.length,
    rows,
    webhookEvents,
    isComplete,
  };
}

/** Begins an erasure, undoes that, and returns it. */
async function tried(
  db: Database,
  companyId: number,
  whom: (feed: FeedTransaction) => Promise<Whom>,
): Promise<ErasureRun> {
  const undo = new Error('the erasure is undone on purpose');
  let run: ErasureRun | null = null;
  try {
    await inFeedTransaction(db, companyId, async (feed) => {
      run = await readErasure(feed.tx, companyId, await beginErasure(feed, await whom(feed)));
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return run!;
}
