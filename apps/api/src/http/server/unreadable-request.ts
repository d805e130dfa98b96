import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@deal-signals/runtime/logger';
import { type ApiError, errorBody, invalidRequest, notFound } from '../errors.ts';
import type { PendingRequests } from './pending-requests.ts';
import { WINDOW_SECONDS } from '../limits/rate-limit.ts';
import type { EndedRequest } from '../request-log.ts';

/** Context of the responses that the application does not send. */
export interface UnreadableRequestContext {
  logger: Logger;
  /** The rate limit, for the headers. */
  perMinute: number;
  /** A connection is destroyed if its caller reads nothing of the response for this long. */
  stallMs: number;
  pending: PendingRequests;
  /** Called with each request that gets such a response. */
  onEnd: (request: EndedRequest) => void;
}

/** Responds to requests that do not reach the application. Afterwards the connection is closed. */
export interface UnreadableRequests {
  /**
   * Responds to a request that is not valid HTTP, whose headers are too large, or that does not arrive in time. For these, Node
   * only provides the raw socket, and its default response has no JSON body.
   */
  onClientError(error: NodeJS.ErrnoException, socket: Socket): void;
  /** Responds to CONNECT as to an unknown path, because its target is no path. Node would close the connection silently. */
  onConnect(socket: Socket): void;
  /** Reports whether the connection is about to be closed, so that further requests on it are ignored. */
  isEnding(socket: Socket): boolean;
  /** Rejects a request because of its connection. */
  refuse(socket: Socket, message: string): void;
}

/** Creates the responses to requests that do not reach the application. */
export function createUnreadableRequests(context: UnreadableRequestContext): UnreadableRequests {
  const ending = new WeakSet<Socket>();

  /** Responds once the responses to earlier requests of the connection are sent. */
  function end(socket: Socket, error: ApiError, facts: Pick<EndedRequest, 'method'> & { reason?: string }) {
    if (ending.has(socket)) return;
    ending.add(socket);
    socket.pause();
    // Node does not watch a socket that it has handed over, and its own timer restarts with each response.
    socket.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    context.pending.afterResponses(socket, () => {
      const requestId = randomUUID();
      if (socket.writable) {
        socket.end(rawResponse(error, requestId, context.perMinute));
        socket.setTimeout(context.stallMs);
      }
      const { status: statusCode, code: errorCode } = error;
      context.logger.info('request', { requestId, ...facts, statusCode, errorCode });
      context.onEnd({ method: facts.method, statusCode, durationMs: 0, isAborted: false, errorCode });
    });
  }

  return {
    onClientError(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const refusal = invalidRequest('the request is not valid HTTP, is too large, or is incomplete');
      end(socket, refusal, { method: 'unknown', ...(error.code !== undefined && { reason: error.code }) });
    },
    onConnect(socket) {
      // Node has handed over the socket, so it does not handle its errors. Without a listener, they would crash the process.
      socket.on('error', () => {});
      end(socket, notFound(), { method: 'CONNECT' });
    },
    isEnding: (socket) => ending.has(socket),
    refuse(socket, message) {
      end(socket, invalidRequest(message), { method: 'unknown' });
    },
  };
}

function rawResponse(error: ApiError, requestId: string, perMinute: number): string {
  const { status } = error;
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `X-RateLimit-Limit: ${perMinute}`,
    `X-RateLimit-Window: ${WINDOW_SECONDS}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
