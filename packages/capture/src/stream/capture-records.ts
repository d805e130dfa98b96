import type { Database } from '@deal-signals/db/database';
import { captureStream } from './capture-stream.ts';
import type { Entry } from '../records/entry.ts';
import type { CaptureRecord } from '../records/record.ts';
import { openStore } from './open-store.ts';
import { BATCH_SIZE } from './store.ts';

/**
 * Captures records. This is how the product's back end writes its data. The records of one workspace are written in
 * order, in transactions of up to 1,000 records; the order between workspaces is not preserved.
 *
 * @param onWritten called after each commit with the number of records in it.
 * @throws RecordError if a record is too large or contradicts stored data. All records before it are stored, and no
 *   later record of its batch is. Capturing the corrected list again is safe.
 */
export async function captureRecords(
  db: Database,
  records: Iterable<CaptureRecord>,
  onWritten: (count: number) => void = () => {},
): Promise<void> {
  for await (const progress of captureStream(openStore(db), numbered(records))) {
    if (progress.kind === 'refused') throw progress.error;
    onWritten(progress.records);
  }
}

/** Numbers the records of a list, in parts that are small enough to be held. */
async function* numbered(records: Iterable<CaptureRecord>): AsyncGenerator<Entry[]> {
  let line = 0;
  let part: Entry[] = [];
  for (const record of records) {
    line += 1;
    part.push({ record, line });
    if (part.length < BATCH_SIZE) continue;
    yield part;
    part = [];
  }
  yield part;
}
