import type { CaptureTransaction } from '../capture-transaction.ts';
import { writeEngagementSoFar } from '../consequences.ts';
import type { EntryOf } from '../entry.ts';
import { beginErasure } from '../erasures/begin.ts';
import { findWhom } from '../erasures/whom.ts';
import { identityOf } from '../identity.ts';
import { Problems } from '../problems.ts';

/** Begins erasures. */
export async function writeErasures(
  capture: CaptureTransaction,
  entries: EntryOf<'erasePerson' | 'eraseRoom'>[],
): Promise<void> {
  const { tx, companyId, feed } = capture;
  // What came before it belongs to whoever is erased.
  await writeEngagementSoFar(capture);
  const problems = new Problems();
  for (const entry of entries) {
    const whom = await findWhom(tx, companyId, entry.record);
    if ('message' in whom) {
      problems.add(entry, whom.field, whom.message);
      continue;
    }
    await beginErasure(feed, whom);
    capture.changed.push(identityOf(entry.record));
  }
  problems.requireNone();
}
