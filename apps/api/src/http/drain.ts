import type { Server } from 'node:http';

const SWEEP_MS = 50;

/**
 * Stops accepting connections and waits until the running requests have finished.
 *
 * @param timeoutMs how long to wait before the remaining connections are closed.
 * @returns whether all requests finished in time.
 */
export async function drain(server: Server, timeoutMs: number): Promise<boolean> {
  let finishedInTime = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection becomes idle after its last response, and would then keep the server open.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => {
    finishedInTime = false;
    server.closeAllConnections();
  }, timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  return finishedInTime;
}
