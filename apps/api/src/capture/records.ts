import { tracing } from '@deal-signals/runtime/tracing';
import type { CaptureOptions } from '@deal-signals/capture/stream/capture-options';
import { captureStream, FLUSH_AFTER_MS } from '@deal-signals/capture/stream/capture-stream';
import { readNdjson } from '@deal-signals/capture/stream/read-ndjson';
import { openStore } from '@deal-signals/capture/stream/open-store';
import type { Store } from '@deal-signals/capture/stream/store';
import type { Database } from '@deal-signals/db/database';
import type { Request, RequestHandler } from 'express';
import { bearerToken } from '../auth/credential.ts';
import { logAfter, addLogFields } from '../http/request-log.ts';
import type { Dependencies } from '../http/route.ts';
import type { Shutdown } from '../http/server/shutdown.ts';
import { CaptureError } from './errors.ts';
import { groupWrites } from './grouped-store.ts';
import { readParameters } from './parameters.ts';
import { readBody } from './request-body.ts';
import { createResults } from './results.ts';
import type { CaptureSettings } from './settings.ts';
import { type CaptureToken, findToken } from './tokens.ts';
import { readTraceparent } from './traceparent.ts';

/** Dependencies of the record endpoint. */
export interface RecordDependencies extends Pick<Dependencies, 'metrics'> {
  /** Not the pool of the public API: a bulk of records must not take its connections. */
  db: Database;
  settings: CaptureSettings;
  shutdown: Shutdown;
}

/** Receives records. The response has one line for each commit and each rejected record, and a last line with the totals. */
export function receiveRecords({ db, metrics, settings, shutdown }: RecordDependencies): RequestHandler {
  const storeFor = sharedStores(db);
  let open = 0;
  metrics.watchCaptureStreams(() => open);
  return async (request, response) => {
    const { workspaceId } = authenticate(request, settings.tokens);
    const options = readParameters(request.query);
    requirePlainText(request);
    // With tracing, the request is a span of the trace that its header names.
    const traceparent = tracing()?.activeTraceparent() ?? readTraceparent(request.get('traceparent'));
    addLogFields(response, { traceId: traceparent?.split('-')[1] });
    if (open >= settings.streams) {
      throw new CaptureError(
        'RATE_LIMITED',
        'too many requests with records are in progress; try again shortly',
      );
    }
    open += 1;
    const body = readBody(request, settings.idleMs);
    const results = createResults(response, options);
    const stop = endWith(shutdown.closing, request);
    const work = async (): Promise<void> => {
      const progress = captureStream(
        // A dry run shares no transaction with other requests.
        options.dryRun ? openStore(db, options) : storeFor(options),
        readNdjson(body.parts, options),
        {
          // A dry run checks one batch of each workspace, so it waits until the batch is full.
          flushAfterMs: options.dryRun ? Infinity : FLUSH_AFTER_MS,
          workspaceId: workspaceId ?? undefined,
          traceparent,
          signal: stop.signal,
        },
      );
      try {
        for await (const result of progress) {
          if (!options.dryRun) metrics.countCaptured(result);
          await results.add(result);
        }
        await results.end();
      } catch (thrown) {
        await results.fail(thrown);
      } finally {
        open -= 1;
        stop.release();
        body.discard();
      }
    };
    await logAfter(response, work());
  };
}

/** Requests with the same options share transactions. */
function sharedStores(
  db: Database,
): (options: Pick<Required<CaptureOptions>, 'onError' | 'noWebhooks'>) => Store {
  const stores = new Map<string, Store>();
  return ({ onError, noWebhooks }) => {
    const name = `${onError} ${noWebhooks}`;
    const store = stores.get(name) ?? groupWrites(openStore(db, { onError, noWebhooks }));
    stores.set(name, store);
    return store;
  };
}

/** @throws CaptureError CAPTURE_TOKEN_INVALID. */
function authenticate(request: Request, tokens: readonly CaptureToken[]): CaptureToken {
  const presented = bearerToken(request.get('authorization'));
  const token = presented === undefined ? undefined : findToken(tokens, presented);
  if (token !== undefined) return token;
  throw new CaptureError('CAPTURE_TOKEN_INVALID', 'the capture token is missing or not valid', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** @throws CaptureError UNSUPPORTED_MEDIA_TYPE if the body is compressed. */
function requirePlainText(request: Request): void {
  const encoding = request.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw new CaptureError('UNSUPPORTED_MEDIA_TYPE', 'the records must not be compressed');
}

/** Aborts a request that is still arriving when the port closes. A request that has arrived completely is finished. */
function endWith(closing: AbortSignal, request: Request): { signal: AbortSignal; release: () => void } {
  const stop = new AbortController();
  const onStop = (): void => {
    if (!request.complete) stop.abort(new CaptureError('SERVICE_UNAVAILABLE', 'the service is stopping'));
  };
  if (closing.aborted) onStop();
  closing.addEventListener('abort', onStop);
  return { signal: stop.signal, release: () => closing.removeEventListener('abort', onStop) };
}
