import type { OnError } from '@deal-signals/capture/stream/capture-options';
import type { Progress } from '@deal-signals/capture/stream/capture-stream';
import type { RecordError } from '@deal-signals/capture/records/record-error';
import type { Response } from 'express';
import { NDJSON } from '../http/responses/lines.ts';
import { addLogFields } from '../http/request-log.ts';
import { toCaptureError } from './errors.ts';

/** The response to a request with records: lines that are sent as soon as a result is available. */
export interface Results {
  /** Sends the results of some records, and waits until the caller has read enough of the previous lines. */
  add(progress: Progress): Promise<void>;
  /** Sends the last line. */
  end(): Promise<void>;
  /**
   * Ends the response with an error and with the number of the line up to which everything is captured.
   *
   * @throws the error if no line was sent yet, so that the response can use its status.
   */
  fail(thrown: unknown): Promise<void>;
}

export interface ResultsOptions {
  dryRun: boolean;
  onError: OnError;
}

/** The status of a response whose first line rejects a record, so that a sender of one record need not read the body. */
const REFUSED_STATUS = 422;
/** The status of a response whose first record can be sent again later. */
const TRY_LATER_STATUS = 429;
/** An erasure takes seconds to minutes. */
const TRY_LATER_SECONDS = '10';

export function createResults(response: Response, { dryRun, onError }: ResultsOptions): Results {
  const sums = { captured: 0, unchanged: 0, refused: 0 };
  let validated = 0;
  let line = 0;

  async function send(object: object, status = 200): Promise<void> {
    if (response.destroyed) return;
    if (!response.headersSent) {
      response.status(status).setHeader('Content-Type', NDJSON);
      if (status === TRY_LATER_STATUS) response.setHeader('Retry-After', TRY_LATER_SECONDS);
    }
    if (response.write(`${JSON.stringify(object)}\n`)) return;
    await new Promise<void>((resolve) => {
      const proceed = (): void => {
        response.off('drain', proceed).off('close', proceed);
        resolve();
      };
      response.on('drain', proceed).on('close', proceed);
    });
  }

  function logTotals(): void {
    addLogFields(response, { ...sums, lastLine: line, ...(dryRun && { dryRun, validated }) });
  }

  return {
    async add(progress) {
      if (progress.kind === 'refused') {
        const { error } = progress;
        sums.refused += 1;
        await send({ line: error.line, errors: error.errors }, onError === 'stop' ? statusOf(error) : 200);
        return;
      }
      for (const name of ['captured', 'unchanged'] as const) sums[name] += progress[name];
      validated += progress.validated ?? 0;
      // With several workspaces, earlier lines of another workspace may still be pending.
      if (progress.line === line) return;
      line = progress.line;
      await send(dryRun ? { checked: line } : { committed: line });
    },
    async end() {
      logTotals();
      await send({ done: true, ...(dryRun && { dryRun, validated }), ...sums });
      response.end();
    },
    async fail(thrown) {
      logTotals();
      // No caller is left to send the error to. The request log records the disconnect.
      if (response.destroyed) return;
      const error = toCaptureError(thrown);
      if (!response.headersSent) throw error;
      addLogFields(response, { errorCode: error.code, cause: error.cause });
      const rest = `every line up to ${line} is ${dryRun ? 'checked' : 'captured'}, later ones may not be`;
      await send({ error: `${error.message}; ${rest}`, code: error.code });
      response.end();
    },
  };
}

function statusOf({ errors }: RecordError): number {
  return errors.some(({ code }) => code === 'RATE_LIMITED') ? TRY_LATER_STATUS : REFUSED_STATUS;
}
