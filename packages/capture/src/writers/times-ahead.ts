import { MAX_AHEAD_MS } from '@deal-signals/db/feeds/position';
import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { Entry } from '../records/entry.ts';
import type { Problems } from '../records/problems.ts';
import type { CaptureRecord } from '../records/record.ts';

/**
 * Refuses records that are dated further ahead of the feed clock than clocks may differ. An id tells when its row was written, so
 * this bound is what lets `since` pass the ids of everything that was written long before.
 *
 * @param fields the times of such a record.
 */
export function refuseTimesAhead<Field extends string, R extends CaptureRecord & Record<Field, Date>>(
  { at }: CaptureTransaction,
  problems: Problems,
  entries: readonly Entry<R>[],
  ...fields: Field[]
): void {
  const latestMs = at.getTime() + MAX_AHEAD_MS;
  for (const entry of entries) {
    for (const field of fields) {
      if (entry.record[field].getTime() <= latestMs) continue;
      problems.add(
        entry,
        field,
        `must be at most ${MAX_AHEAD_MS / 60_000} minutes ahead of the time of the server, which is ${at.toISOString()}`,
      );
    }
  }
}
