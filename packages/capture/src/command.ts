import { createReadStream } from 'node:fs';
import { openDatabase } from '@deal-signals/db/database';
import { captureEntries } from './capture-records.ts';
import { readNdjson } from './read-ndjson.ts';
import { RecordError } from './record-error.ts';

/** A batch of 1,000 records takes far less than this. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Minimum time between two redraws of the progress line. */
const PROGRESS_INTERVAL_MS = 200;

/**
 * `pnpm capture FILE`: captures newline-delimited JSON from a file, or from standard input when FILE is `-`.
 *
 * @returns the exit code: 0 if every line was captured, 1 if an invalid line or a database error stopped the run.
 */
export async function runCapture(file: string, databaseUrl: string): Promise<number> {
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'deal-signals-capture',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const progress = showProgress();
  try {
    const input = file === '-' ? process.stdin : createReadStream(file);
    await captureEntries(db, readNdjson(input), (count) => progress.add(count));
    progress.end();
    return 0;
  } catch (error) {
    progress.end();
    if (error instanceof RecordError) console.error(`line ${error.line}: ${error.message}`);
    else console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await db.$disconnect();
  }
}

/** Shows the record count on standard error: updated in place on a terminal, otherwise printed once at the end. */
function showProgress(): { add(count: number): void; end(): void } {
  const startedAt = performance.now();
  let written = 0;
  let drawnAt = 0;
  const summary = () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    return `${written} records captured in ${seconds.toFixed(1)} s`;
  };
  return {
    add(count) {
      written += count;
      if (!process.stderr.isTTY || performance.now() - drawnAt < PROGRESS_INTERVAL_MS) return;
      drawnAt = performance.now();
      process.stderr.write(`\r${summary()}`);
    },
    end() {
      process.stderr.write(process.stderr.isTTY ? `\r${summary()}\n` : `${summary()}\n`);
    },
  };
}
