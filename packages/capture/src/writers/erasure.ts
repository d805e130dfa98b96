import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import { writeEngagementSoFar } from '../transaction/last-statement.ts';
import type { EntryOf } from '../records/entry.ts';
import { beginErasure, MAX_OPEN_ERASURES, mayBeginErasure } from '../erasures/begin.ts';
import { resolveTarget } from '../erasures/erasure-target.ts';
import { identityOf } from '../records/identity.ts';
import { Problems } from '../records/problems.ts';

const TOO_MANY = `the workspace has ${MAX_OPEN_ERASURES} erasures under way; send the record again later`;

/** Begins erasures. */
export async function writeErasures(
  capture: CaptureTransaction,
  entries: EntryOf<'erasePerson' | 'eraseRoom'>[],
): Promise<void> {
  const { tx, companyId, feed } = capture;
  // Rows before it belong to the erased person.
  await writeEngagementSoFar(capture);
  const problems = new Problems();
  let isFull = false;
  for (const entry of entries) {
    // Once the limit is reached, later records cost nothing.
    isFull ||= !(await mayBeginErasure(feed));
    if (isFull) {
      problems.add(entry, '', TOO_MANY, 'RATE_LIMITED');
      continue;
    }
    const target = await resolveTarget(tx, companyId, entry.record);
    if ('message' in target) {
      problems.add(entry, target.field, target.message);
      continue;
    }
    await beginErasure(feed, target);
    capture.changed.push(identityOf(entry.record));
  }
  problems.leaveOut(entries, capture.onInvalid);
}
