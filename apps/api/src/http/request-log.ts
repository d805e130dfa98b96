import { randomUUID } from 'node:crypto';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import type { RequestHandler, Response } from 'express';

/**
 * What the log line of a request says beside its outcome. Only what is listed here is logged: no header, no query and
 * no path as sent, because people put secrets into all of them.
 */
export interface RequestFacts {
  requestId: string;
  /** The route's path as in the route table; absent when no route took the request. */
  route?: string;
  companyId?: number;
  keyId?: number;
  keyPrefix?: string;
  userId?: number;
  /** The delivery, its event and its endpoint that a management request was about. */
  deliveryId?: string;
  eventId?: string;
  endpointId?: number;
  errorCode?: string;
  /** What a readiness probe found wrong. */
  failing?: readonly string[];
  /** What went wrong, when it was our fault or the database's. */
  cause?: unknown;
}

/** A request that has ended, for whoever counts them. */
export interface EndedRequest {
  method: string;
  /** As in `RequestFacts`. */
  route?: string;
  statusCode: number;
  durationMs: number;
  /** Whether the caller hung up before any of the answer was out. */
  isAborted: boolean;
  errorCode?: string;
}

/** Ids that callers may choose for a request, to find it in our log by their own name. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,128}$/;

const factsOfResponse = new WeakMap<Response, RequestFacts>();

/** Adds to what the log will say of a request. */
export function note(response: Response, facts: Partial<RequestFacts>): void {
  Object.assign(factsOfResponse.get(response) ?? {}, facts);
}

/** The id that the log knows a request by. */
export function requestIdOf(response: Response): string {
  return factsOfResponse.get(response)?.requestId ?? '';
}

/**
 * Gives every request an id and, when it has ended, one line in the log.
 *
 * @param onEnd told of each request that has ended.
 */
export function requestLog(logger: Logger, onEnd: (request: EndedRequest) => void): RequestHandler {
  return (request, response, next) => {
    const startedAtMs = performance.now();
    const sentId = request.get('x-request-id');
    const requestId = sentId !== undefined && ACCEPTED_ID.test(sentId) ? sentId : randomUUID();
    const facts: RequestFacts = { requestId };
    factsOfResponse.set(response, facts);
    response.set('X-Request-Id', requestId);
    response.once('close', () => {
      const { cause, ...rest } = facts;
      const { method } = request;
      const { statusCode } = response;
      const durationMs = Math.round(performance.now() - startedAtMs);
      // A red readiness probe is news of another fault, not one itself.
      const levelOfFailure = rest.failing === undefined ? 'error' : 'warn';
      logger.log(statusCode >= 500 ? levelOfFailure : 'info', 'request', {
        ...rest,
        method,
        statusCode,
        durationMs,
        // The caller hung up before the answer was out.
        ...(!response.writableFinished && { aborted: true }),
        ...(cause !== undefined && describeError(cause)),
      });
      onEnd({ ...rest, method, statusCode, durationMs, isAborted: !response.headersSent });
    });
    next();
  };
}
