import type { CaptureTransaction } from '../capture-transaction.ts';
import { writeEngagementSoFar } from '../consequences.ts';
import type { EntryOf } from '../entry.ts';
import { beginErasure, MAX_OPEN_ERASURES, mayBeginErasure } from '../erasures/begin.ts';
import { findWhom } from '../erasures/whom.ts';
import { identityOf } from '../identity.ts';
import { RecordError } from '../record-error.ts';

const TOO_MANY = `the workspace has ${MAX_OPEN_ERASURES} erasures under way; send the record again later`;

/**
 * Begins erasures.
 *
 * @throws RecordError with the errors of all records: with one at a time, a batch would be written again for each of them.
 */
export async function writeErasures(
  capture: CaptureTransaction,
  entries: EntryOf<'erasePerson' | 'eraseRoom'>[],
): Promise<void> {
  const { tx, companyId, feed } = capture;
  // What came before it belongs to whoever is erased.
  await writeEngagementSoFar(capture);
  const errors: RecordError[] = [];
  let isFull = false;
  for (const { record, line } of entries) {
    // Once the limit is reached, later records cost nothing.
    isFull ||= !(await mayBeginErasure(feed));
    if (isFull) {
      errors.push(new RecordError(line, '', TOO_MANY, [], 'RATE_LIMITED'));
      continue;
    }
    const whom = await findWhom(tx, companyId, record);
    if ('message' in whom) {
      errors.push(new RecordError(line, whom.field, whom.message));
      continue;
    }
    await beginErasure(feed, whom);
    capture.changed.push(identityOf(record));
  }
  const [first, ...later] = errors;
  if (first === undefined) return;
  first.later = later;
  throw first;
}
