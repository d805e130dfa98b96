import type { Database } from '@deal-signals/db/database';
import { type ErasureRun, findNames, lookThrough, meansOf, type Target } from './erasure-run.ts';
import { ACTIVITY_TABLES, ERASED_TABLES } from './places.ts';
import { findBodies } from './webhook-copies.ts';

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
 * Counts what an erasure would touch: it looks through the tables as the erasure would.
 *
 * @param run the erasure, as it has begun in a transaction that was undone.
 * @param budgetMs how long to look.
 */
export async function previewErasure(
  db: Database,
  run: ErasureRun,
  budgetMs: number,
): Promise<ErasurePreview> {
  const endMs = performance.now() + budgetMs;
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
