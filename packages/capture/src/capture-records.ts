import type { Database } from '@deal-signals/db/database';
import { UnknownWorkspaceError } from '@deal-signals/db/feeds/feed-clock';
import { captureBatch } from './capture-batch.ts';
import type { Entry } from './entry.ts';
import { requireWithinLimits } from './limits.ts';
import { RecordError } from './record-error.ts';
import type { CaptureRecord } from './record.ts';
import { writeCompany } from './writers/company.ts';

/** Maximum records per transaction: enough to amortise the commit, few enough not to hold the feed clock for long. */
const BATCH_SIZE = 1_000;
/** Maximum records buffered across all workspaces while their batches fill. */
const HELD_BACK = 10_000;

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
  let line = 0;
  async function* numbered() {
    for (const record of records) yield { record, line: (line += 1) };
  }
  await captureEntries(db, numbered(), onWritten);
}

/** Like `captureRecords`, for a stream. An error of the stream is rethrown after the records before it are stored. */
export async function captureEntries(
  db: Database,
  entries: AsyncIterable<Entry>,
  onWritten: (count: number) => void,
): Promise<void> {
  const pending = new Map<number, Entry[]>();
  let heldBack = 0;

  async function flush(companyId: number): Promise<void> {
    const batch = pending.get(companyId) ?? [];
    pending.delete(companyId);
    heldBack -= batch.length;
    await writeBatch(db, companyId, batch, onWritten);
  }

  try {
    for await (const entry of entries) {
      const { record } = entry;
      requireWithinLimits(entry);
      if (record.record === 'company') {
        await flush(record.id);
        await writeCompany(db, { line: entry.line, record });
        onWritten(1);
        continue;
      }
      const batch = pending.get(record.companyId) ?? [];
      batch.push(entry);
      pending.set(record.companyId, batch);
      heldBack += 1;
      if (batch.length >= BATCH_SIZE) await flush(record.companyId);
      if (heldBack >= HELD_BACK) for (const companyId of pending.keys()) await flush(companyId);
    }
    for (const companyId of pending.keys()) await flush(companyId);
  } catch (error) {
    // Store what came before the faulty record, in every workspace.
    const end = error instanceof RecordError ? error.line : Number.POSITIVE_INFINITY;
    for (const [companyId, batch] of pending) {
      await writeBatch(
        db,
        companyId,
        batch.filter(({ line }) => line < end),
        onWritten,
      );
    }
    throw error;
  }
}

/** Writes a batch. If a record is faulty, writes the records before it and throws its error. */
async function writeBatch(
  db: Database,
  companyId: number,
  batch: Entry[],
  onWritten: (count: number) => void,
): Promise<void> {
  if (batch.length === 0) return;
  try {
    await captureBatch(db, companyId, batch);
    onWritten(batch.length);
  } catch (error) {
    if (error instanceof UnknownWorkspaceError)
      throw new RecordError(batch[0]?.line ?? 0, 'companyId', error.message);
    if (error instanceof RecordError) {
      await writeBatch(
        db,
        companyId,
        batch.filter(({ line }) => line < error.line),
        onWritten,
      );
    }
    throw error;
  }
}
