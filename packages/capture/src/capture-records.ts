import type { Database } from '@deal-signals/db/database';
import { UnknownWorkspaceError } from '@deal-signals/db/feeds/feed-clock';
import { captureBatch } from './capture-batch.ts';
import type { Entry } from './entry.ts';
import type { CaptureRecord } from './record.ts';
import { RecordError } from './record-error.ts';
import { writeCompany } from './writers/company.ts';

/** Records to a transaction: large enough to amortise the commit, small enough not to hold the feed clock for long. */
const BATCH_SIZE = 1_000;
/** Records of all workspaces held back at most while their batches fill. */
const HELD_BACK = 10_000;

/**
 * Captures records: the way for the product's own back end to write. Each workspace's records are written in their order,
 * in transactions of up to a thousand; different workspaces do not wait for each other.
 *
 * @param onWritten called after every commit with the number of records it held.
 * @throws RecordError for a record that does not fit. Every record before it is stored, and none of its own batch after
 *   it; capturing the corrected list again is safe.
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

/** The same for a stream of records that know their lines. Errors of the stream itself are rethrown. */
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
      if (record.record === 'company') {
        await flush(record.id);
        await writeCompany(db, record);
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
    // What came before a faulty record stays, of every workspace.
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

/** Writes a batch; where a record does not fit, writes those before it and throws its error. */
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
