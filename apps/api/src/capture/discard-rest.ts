import type { IncomingMessage } from 'node:http';

/** Maximum time for this before the connection is closed. */
const DISCARD_MS = 5_000;

/**
 * Discards the rest of a request whose response has ended, so that the sender can finish and read the response. The connection is
 * closed if that takes too long.
 */
export function discardRest(request: IncomingMessage): void {
  request.resume();
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS);
  request.once('close', () => clearTimeout(timer));
}
