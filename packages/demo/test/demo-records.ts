import type { CaptureInput } from '@deal-signals/capture/record';
import { demoRecords } from '../src/quarter/dataset.ts';
import { DEMO_SEED } from '../src/quarter/seed.ts';

/** The end of the quarter that the tests look at: a Friday afternoon. */
export const NOW = new Date('2026-11-20T14:30:00Z');
export const DAY_MS = 24 * 60 * 60 * 1000;
/** The demo's data as of then. */
export const records = [...demoRecords({ seed: DEMO_SEED, now: NOW })];

/** A record of one kind, with its workspace. */
type InputOf<K extends CaptureInput['record']> = Extract<CaptureInput, { record: K }>;

/** The records of one kind. */
export function of<K extends CaptureInput['record']>(
  kind: K,
  from: readonly CaptureInput[] = records,
): InputOf<K>[] {
  return from.filter((record): record is InputOf<K> => record.record === kind);
}

/** What is stored in the end: later records of the same thing fill in and overwrite earlier ones. */
export function stored<K extends 'room' | 'call' | 'esign' | 'actionItem'>(kind: K): InputOf<K>[] {
  const rows = new Map<string, InputOf<K>>();
  for (const record of of(kind)) {
    const { id } = record as { id: string };
    rows.set(id, { ...rows.get(id), ...record });
  }
  return [...rows.values()];
}

/** How many items there are of each sort. */
export function countBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null | undefined,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item) ?? 'none'] = (counts[keyOf(item) ?? 'none'] ?? 0) + 1;
  return counts;
}
