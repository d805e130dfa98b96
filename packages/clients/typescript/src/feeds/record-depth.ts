import { RecordTooDeep } from '../errors.ts';
import type { Feed } from './feeds.ts';

/** The API allows 64 levels in free-form fields. An error about a page without deeper records has another cause. */
const MAX_ORDINARY_DEPTH = 100;
/** PostgreSQL's `statement_too_complex`: the stack of its JSON parser is exhausted. */
const TOO_COMPLEX = '54001';

/**
 * Explains an error of a store.
 *
 * @returns an error that names the record that is nested too deeply for the store, or the original error if it has another
 * cause.
 */
export function explainDepth(feed: Feed, records: readonly { id: string }[], error: unknown): unknown {
  const isExhausted =
    error instanceof RangeError || (error as { code?: unknown } | null | undefined)?.code === TOO_COMPLEX;
  if (!isExhausted) return error;
  let deepest = { id: '', depth: MAX_ORDINARY_DEPTH };
  for (const record of records) {
    const depth = measureDepth(record);
    if (depth > deepest.depth) deepest = { id: record.id, depth };
  }
  if (deepest.id === '') return error;
  return new RecordTooDeep(
    `${feed}: the record ${deepest.id} is nested ${deepest.depth} levels deep, which is too deep to be stored`,
    { feed, recordId: deepest.id, cause: error },
  );
}

/** Counts the levels of objects and lists in a value. It uses no recursion, which would exhaust the stack. */
function measureDepth(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  for (;;) {
    level = level
      .filter((one) => typeof one === 'object' && one !== null)
      .flatMap((one) => Object.values(one));
    if (level.length === 0) return depth;
    depth += 1;
  }
}
