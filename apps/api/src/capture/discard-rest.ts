import type { IncomingMessage } from 'node:http';

/** How long that may take before the connection is closed. */
const DISCARD_MS = 5_000;

/**
 * Throws away what still arrives of a request whose response has ended, so that the sender can finish and read it. If that
 * takes too long, the connection is closed.
 */
export function discardRest(request: IncomingMessage): void {
  request.resume();
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS);
  request.once('close', () => clearTimeout(timer));
}
