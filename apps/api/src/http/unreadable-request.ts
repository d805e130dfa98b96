import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@deal-signals/runtime/logger';
import { invalidRequest } from './errors.ts';
import { WINDOW_SECONDS } from './rate-limit.ts';
import type { EndedRequest } from './request-log.ts';

/**
 * Responds to a request that is not valid HTTP, whose headers are too large, or that does not arrive in time. For
 * these, Node only provides the raw socket, and its own default response has no JSON body.
 */
export function respondToUnreadableRequest(
  logger: Logger,
  perMinute: number,
  onEnd: (request: EndedRequest) => void,
) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, code, message } = invalidRequest(
      'the request is not valid HTTP, is too large, or is incomplete',
    );
    const requestId = randomUUID();
    const body = JSON.stringify({ error: message, code });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `X-RateLimit-Limit: ${perMinute}`,
      `X-RateLimit-Window: ${WINDOW_SECONDS}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    logger.info('request', { requestId, statusCode: status, errorCode: code, reason: error.code });
    onEnd({ method: 'unknown', statusCode: status, durationMs: 0, isAborted: false, errorCode: code });
  };
}
