import { randomUUID } from 'node:crypto';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { tracing } from '@deal-signals/runtime/tracing';
import type { ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';

/** The limit of concurrent requests that a request has exceeded. */
export type ConcurrencyLimit = 'credential' | 'key' | 'workspace' | 'writes';

/**
 * The logged facts about a request in addition to its outcome. Only these fields are logged: no headers, no query and no raw
 * path, because callers may put secrets in any of them.
 */
export interface RequestFacts {
  requestId: string;
  /** The id that this service gave the request. Callers cannot choose it, so it is unique. */
  serverRequestId: string;
  /** The route's path as in the route table; absent if no route matched. */
  route?: string;
  companyId?: number;
  keyId?: number;
  keyPrefix?: string;
  userId?: number;
  /** The assistant that has an access token. */
  clientId?: string;
  /** The delivery, event and endpoint that a management request is about. */
  deliveryId?: string;
  eventId?: string;
  endpointId?: number;
  /** The tool that was called over the Model Context Protocol. */
  tool?: string;
  errorCode?: string;
  limit?: ConcurrencyLimit;
  /** The records of a request to the capture port: stored, rejected, and the line up to which all are processed. */
  captured?: number;
  refused?: number;
  lastLine?: number;
  dryRun?: boolean;
  validated?: number;
  /** The trace of such a request, if its header names one. */
  traceId?: string | undefined;
  /** Whether the response was cut off because the caller stopped reading. */
  cut?: true;
  /** The readiness checks that failed. */
  failing?: readonly string[];
  /** The error that led to the error response, if there was one. */
  cause?: unknown;
}

/** A request that has ended, for the metrics. */
export interface EndedRequest {
  method: string;
  /** As in `RequestFacts`. */
  route?: string;
  statusCode: number;
  durationMs: number;
  /** Whether the caller disconnected before any of the response was sent. */
  isAborted: boolean;
  /** The workspace and the API key, if the request had a valid key. */
  companyId?: number;
  keyId?: number;
  errorCode?: string;
  /** As in `RequestFacts`. */
  limit?: ConcurrencyLimit;
}

/** Probes and scrapes arrive every few seconds, and the metrics already cover them. */
const PROBES = new Set<string | undefined>(['/healthz', '/readyz', '/metrics']);

/** Request ids that callers may choose, so that they can find a request in the log. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,128}$/;

const FACTS = Symbol('facts');
const WORK = Symbol('work');

/** A response with its log fields. With a WeakMap, V8 would have to trace the fields of each request separately. */
interface LoggedResponse extends ServerResponse {
  [FACTS]?: RequestFacts;
  /** Work that the log line waits for. */
  [WORK]?: Promise<unknown>;
}

/** Adds fields to the log line of a request. */
export function addLogFields(response: LoggedResponse, facts: Partial<RequestFacts>): void {
  Object.assign(response[FACTS] ?? {}, facts);
  if (facts.route !== undefined) tracing()?.nameRequest(facts.route);
}

/** Delays the log line of a request until some work is done, which continues when the caller disconnects. */
export function logAfter<T>(response: LoggedResponse, work: Promise<T>): Promise<T> {
  response[WORK] = work;
  return work;
}

/** Returns the ids under which a request is logged: the one that the caller may have chosen, and the one of this service. */
export function requestIdsOf(response: LoggedResponse): Pick<RequestFacts, 'requestId' | 'serverRequestId'> {
  const { requestId = '', serverRequestId = '' } = response[FACTS] ?? {};
  return { requestId, serverRequestId };
}

/**
 * Gives every request its ids, and writes one log line when the request has ended.
 *
 * @param onEnd called with each request that has ended.
 */
export function requestLog(logger: Logger, onEnd: (request: EndedRequest) => void): RequestHandler {
  return (request, response: Response & LoggedResponse, next) => {
    const startedAtMs = performance.now();
    const sentId = request.get('x-request-id');
    const serverRequestId = randomUUID();
    const requestId = sentId !== undefined && ACCEPTED_ID.test(sentId) ? sentId : serverRequestId;
    const facts: RequestFacts = { requestId, serverRequestId };
    response[FACTS] = facts;
    response.set('X-Request-Id', requestId);
    const log = (): void => {
      const { cause } = facts;
      // Only after an error, because copying the fields would slow down every request.
      if ('cause' in facts) delete facts.cause;
      const ended = Object.assign(facts, {
        method: request.method,
        statusCode: response.statusCode,
        durationMs: Math.round(performance.now() - startedAtMs),
      });
      // A failing readiness probe reports another fault and is not one itself. The readiness check logs the change.
      const isProbe = PROBES.has(ended.route) && (ended.statusCode < 500 || ended.failing !== undefined);
      logger.log(
        isProbe ? 'debug' : ended.statusCode >= 500 ? 'error' : 'info',
        'request',
        response.writableFinished && cause === undefined
          ? ended
          : {
              ...ended,
              // The caller disconnected before the response was complete.
              ...(!response.writableFinished && { aborted: true }),
              ...(cause !== undefined && describeError(cause)),
            },
      );
      onEnd(Object.assign(ended, { isAborted: !response.headersSent }));
    };
    response.once('close', () => {
      const work = response[WORK];
      if (work === undefined) log();
      else void work.then(log, log);
    });
    next();
  };
}
