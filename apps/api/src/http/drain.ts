import type { Server } from 'node:http';

const SWEEP_MS = 50;

/**
 * Stops accepting connections and waits for the requests that are running.
 *
 * @param timeoutMs after this long, what still runs is cut off.
 * @returns whether everything ended by itself.
 */
export async function drain(server: Server, timeoutMs: number): Promise<boolean> {
  let endedByItself = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A kept-alive connection goes idle when its last response is out, and would then hold the server open.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => {
    endedByItself = false;
    server.closeAllConnections();
  }, timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  return endedByItself;
}
