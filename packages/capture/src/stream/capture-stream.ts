import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAhead } from './read-ahead.ts';
import type { BatchResult } from '../transaction/batch-result.ts';
import type { Entry, EntryOf } from '../records/entry.ts';
import { createPendingRecords } from './pending-records.ts';
import { requireWithinLimits } from '../records/limits.ts';
import type { Parsed } from './read-ndjson.ts';
import { RecordError } from '../records/record-error.ts';
import { BATCH_SIZE, type Store } from './store.ts';
import { writeBatch } from './write-batch.ts';

/** The outcome of a part of a stream. */
export type Progress =
  /**
   * A transaction has stored this many records, or found them stored. Every line up to `line` is dealt with: its record is
   * stored, or was refused before.
   */
  | ({ kind: 'written'; records: number; line: number } & BatchResult)
  /** A record was refused. */
  | { kind: 'refused'; error: RecordError };

export interface StreamOptions {
  /** A record waits at most this long for others to share a transaction with; by default, until there are 1,000. */
  flushAfterMs?: number;
  /** The only workspace whose records are taken. */
  workspaceId?: number | undefined;
  /** The `traceparent` of the request that brings the records. Their events belong to its trace. */
  traceparent?: string | undefined;
  /** Ends the capture. What was read before is still written. */
  signal?: AbortSignal;
}

/** How long a record of a slow stream waits for others. */
export const FLUSH_AFTER_MS = 200;

/** Maximum records that wait across all workspaces while their batches fill. */
const MAX_PENDING = 10_000;

/**
 * Captures a stream. The records of one workspace are written in order, in transactions of up to 1,000 records; the order
 * between workspaces is not preserved. The stream is read one part ahead, and the next one only after the caller has
 * consumed the results.
 *
 * @returns the outcomes of the records, in the order of their lines. It ends after the first refused record, unless the store leaves
 *   those out.
 * @throws database errors, errors of the stream, and the reason of the signal. In the last two cases, everything that was
 *   read is written before. In all cases, lines after the last one that was returned may not be stored.
 */
export async function* captureStream(
  store: Store,
  input: AsyncIterable<Parsed[]>,
  { flushAfterMs = Infinity, workspaceId, traceparent, signal }: StreamOptions = {},
): AsyncGenerator<Progress, void> {
  const pending = createPendingRecords();
  let refused: RecordError[] = [];
  /** The refused line at which the capture stops. */
  let stopLine = Infinity;
  /** The last line that is pending, written or refused. */
  let lastLine = 0;

  function refuse(error: RecordError): void {
    if (store.onError === 'continue') refused.push(error);
    else if (error.line < stopLine) {
      stopLine = error.line;
      refused = [error];
    }
  }

  function* report(result: BatchResult | null): Generator<Progress> {
    const line = Math.min(pending.firstLine() - 1, stopLine - 1, lastLine);
    const ready = refused.filter((error) => error.line <= line).toSorted((a, b) => a.line - b.line);
    if (ready.length > 0) refused = refused.filter((error) => error.line > line);
    for (const error of ready) yield { kind: 'refused', error };
    if (result === null) return;
    const records = result.captured + result.unchanged + (result.validated ?? 0);
    yield { kind: 'written', records, line, ...result };
  }

  async function* flush(companyIds = pending.workspaces()): AsyncGenerator<Progress> {
    for (const companyId of companyIds) {
      const batch = pending.take(companyId).filter(({ line }) => line < stopLine);
      const written = await writeBatch(store, companyId, batch);
      written.refused.forEach(refuse);
      yield* report(written.result);
    }
  }

  async function* takeCompany(entry: EntryOf<'company'>): AsyncGenerator<Progress> {
    // The records before it belong to the workspace as it was.
    yield* flush([entry.record.id]);
    if (stopLine !== Infinity) return;
    lastLine = entry.line;
    try {
      const isChanged = await store.writeCompany(entry);
      const [captured, unchanged] = isChanged ? [1, 0] : [0, 1];
      yield* report({ captured, unchanged, refused: [] });
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      refuse(error);
    }
  }

  const arrivals = readAhead(input);
  try {
    while (stopLine === Infinity) {
      const arrival = await arrivals.next(pending.sinceMs() + flushAfterMs - performance.now(), signal);
      if (arrival.kind === 'value') {
        for (const parsed of arrival.value) {
          const error = parsed instanceof RecordError ? parsed : problemOf(parsed, workspaceId);
          if (error !== null) {
            refuse(error);
            lastLine = error.line;
            if (pending.count() === 0) yield* report(null);
          } else {
            const entry: Entry =
              traceparent === undefined ? (parsed as Entry) : { ...(parsed as Entry), traceparent };
            const { record, line } = entry;
            if (record.record === 'company') yield* takeCompany({ record, line });
            else {
              lastLine = line;
              const count = pending.add(record.companyId, entry);
              if (count >= BATCH_SIZE) yield* flush([record.companyId]);
            }
          }
          if (stopLine !== Infinity) break;
        }
        // A stream that is always readable must leave turns of the event loop to others.
        await nextTurn();
      }
      const isOver = arrival.kind === 'end' || arrival.kind === 'failed' || signal?.aborted === true;
      const isLate = performance.now() >= pending.sinceMs() + flushAfterMs;
      if (isOver || isLate || pending.count() + refused.length >= MAX_PENDING) yield* flush();
      if (stopLine !== Infinity || arrival.kind === 'end') break;
      if (arrival.kind === 'failed') throw arrival.error;
      signal?.throwIfAborted();
    }
    // What came before the refused record, in every workspace.
    yield* flush();
    for (const error of refused) yield { kind: 'refused', error };
  } finally {
    arrivals.close();
  }
}

/** Returns why a record must not be captured, judged by the record alone; null if it is valid. */
function problemOf(entry: Entry, workspaceId: number | undefined): RecordError | null {
  const { record, line } = entry;
  const [field, companyId] =
    record.record === 'company' ? (['id', record.id] as const) : (['companyId', record.companyId] as const);
  if (workspaceId !== undefined && companyId !== workspaceId) {
    return new RecordError(line, field, `expected ${workspaceId}, the only workspace of this token`);
  }
  try {
    requireWithinLimits(entry);
    return null;
  } catch (error) {
    if (error instanceof RecordError) return error;
    throw error;
  }
}
