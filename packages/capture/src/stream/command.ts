import { createReadStream } from 'node:fs';
import { Database } from '@deal-signals/db/database';
import { escapeForTerminal } from '@deal-signals/db/escape-for-terminal';
import { waitForBusyWorkspaces } from './busy-workspaces.ts';
import type { BatchResult } from '../transaction/batch-result.ts';
import type { CaptureOptions } from './capture-options.ts';
import { captureStream, FLUSH_AFTER_MS } from './capture-stream.ts';
import { readNdjson } from './read-ndjson.ts';
import { openStore } from './open-store.ts';

/** A batch of 1,000 records takes far less than this. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** One attempt to take the feed clock of a busy workspace. Progress is shown after each. */
const LOCK_TIMEOUT_MS = 5_000;

/** Minimum time between two redraws of the progress line. */
const PROGRESS_INTERVAL_MS = 200;

/** What shells report of a program that a signal has ended: 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** The command was told to stop. */
class StoppedError extends Error {
  readonly exitCode: number;

  constructor(signal: keyof typeof EXIT_CODES) {
    super(`stopped by ${signal}`);
    this.exitCode = EXIT_CODES[signal];
  }
}

/** How a file is captured. */
export interface CommandOptions extends CaptureOptions {
  /** Maximum time that a batch waits for a workspace while another transaction holds its feed clock. */
  maxWaitMs: number;
}

/**
 * `pnpm capture FILE`: captures newline-delimited JSON from a file, or from standard input when FILE is `-`. Refused lines
 * and the reason of an early end are on standard error. A signal ends the command after the lines that it has read are
 * stored; a second one ends it at once.
 *
 * @returns the exit code: 0 if every record was captured, 1 if one was refused or something failed, 130 or 143 after a
 *   signal.
 */
export async function runCapture(
  file: string,
  databaseUrl: string,
  { maxWaitMs, ...options }: CommandOptions,
): Promise<number> {
  const db = new Database({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'deal-signals-capture',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopping.abort(new StoppedError(signal)));
  }
  const input = file === '-' ? process.stdin : createReadStream(file);
  const progress = showProgress(options);
  let refused = 0;
  let lastLine = 0;
  try {
    const store = waitForBusyWorkspaces(openStore(db, options), {
      maxWaitMs,
      signal: stopping.signal,
      onBusy: (companyId, waitedMs) => progress.showBusy(companyId, waitedMs),
    });
    const results = captureStream(store, readNdjson(input, { lenient: options.lenient ?? false }), {
      ...options,
      signal: stopping.signal,
      // A file has all its lines already, so there is no reason to write a part of a batch early. A dry run checks a full batch.
      ...(file === '-' && !options.dryRun && { flushAfterMs: FLUSH_AFTER_MS }),
    });
    for await (const result of results) {
      if (result.kind === 'written') {
        progress.add(result);
        lastLine = result.line;
      } else {
        refused += 1;
        progress.interrupt(`line ${result.error.line}: ${result.error.message}`);
      }
    }
    progress.end(refused);
    return refused === 0 ? 0 : 1;
  } catch (error) {
    const rest = `everything up to line ${lastLine} is ${progress.verb}, what comes after it may not be`;
    progress.interrupt(`${error instanceof Error ? error.message : String(error)}: ${rest}`);
    progress.end(refused);
    return error instanceof StoppedError ? error.exitCode : 1;
  } finally {
    // A terminal or a pipe that stays open would keep the process running.
    input.destroy();
    await db.close();
  }
}

/** The progress line on standard error. */
interface ProgressLine {
  /** What has been done with the records. */
  verb: 'captured' | 'checked';
  add(result: BatchResult): void;
  /** Shows that the capture waits for a workspace. */
  showBusy(companyId: number, waitedMs: number): void;
  /** Prints a line above it. */
  interrupt(line: string): void;
  end(refused: number): void;
}

/** Shows the number of records: updated in place on a terminal, otherwise printed once at the end. */
function showProgress({ dryRun = false }: CaptureOptions): ProgressLine {
  const startedAt = performance.now();
  const verb = dryRun ? 'checked' : 'captured';
  const total = { captured: 0, unchanged: 0, validated: 0 };
  let drawnAt = 0;
  const summary = (refused = 0) => {
    const others = Object.entries({ unchanged: total.unchanged, validated: total.validated, refused });
    const counts = [
      `${total.captured} ${verb}`,
      ...others.filter(([, n]) => n > 0).map(([what, n]) => `${n} ${what}`),
    ];
    return `records: ${counts.join(', ')} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  };
  return {
    verb,
    add({ captured, unchanged, validated = 0 }) {
      total.captured += captured;
      total.unchanged += unchanged;
      total.validated += validated;
      if (!process.stderr.isTTY || performance.now() - drawnAt < PROGRESS_INTERVAL_MS) return;
      drawnAt = performance.now();
      process.stderr.write(`\r\u001b[K${summary()}`);
    },
    showBusy(companyId, waitedMs) {
      const text = `waiting for workspace ${companyId}, which another transaction is writing to: ${Math.round(waitedMs / 1_000)} s`;
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${summary()}; ${text}`);
      else process.stderr.write(`${text}\n`);
    },
    interrupt(line) {
      process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${escapeForTerminal(line)}\n`);
    },
    end(refused) {
      const text = `${summary(refused)}${dryRun ? '; nothing was stored' : ''}`;
      process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}\n` : `${text}\n`);
    },
  };
}
