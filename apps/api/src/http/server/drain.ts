import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { PendingRequests } from './pending-requests.ts';

const SWEEP_MS = 50;
/** A caller that connects usually sends its request at once. */
const UNUSED_AFTER_MS = 1_000;

/**
 * Asks callers to leave a process that is going to end: from then on, each response carries `Connection: close`, so its
 * caller makes the next request over a new connection, to another process.
 *
 * @param stopping aborted when the process is told to stop.
 * @param pending the requests of the server.
 * @returns a function to call with each response before anything of it is sent.
 */
export function closeAfterResponses(
  stopping: AbortSignal,
  pending: Pick<PendingRequests, 'inProgress'>,
): (response: ServerResponse) => void {
  const close = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  stopping.addEventListener('abort', () => pending.inProgress().forEach(close), { once: true });
  return (response) => {
    if (stopping.aborted) close(response);
  };
}

/** Ends a server without breaking a request off. Create it before the server listens, so that it knows all connections. */
export class Drain {
  readonly #server: Server;
  /** When each open connection was made, in the time of `performance.now()`. */
  readonly #connections = new Map<Socket, number>();

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#connections.set(socket, performance.now());
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /**
   * Stops accepting connections, closes the idle ones, and waits until the running requests have finished.
   *
   * @param timeoutMs how long to wait before the remaining connections are closed.
   * @returns whether all requests finished in time.
   */
  async run(timeoutMs: number): Promise<boolean> {
    const server = this.#server;
    let finishedInTime = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A connection becomes idle after its last response, and would then keep the server open.
    const sweep = setInterval(() => this.#closeIdle(), SWEEP_MS);
    const cut = setTimeout(() => {
      finishedInTime = false;
      server.closeAllConnections();
    }, timeoutMs);
    this.#closeIdle();
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    return finishedInTime;
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections();
    // Node does not count a connection as idle that has never sent anything, as proxies and browsers open them in advance.
    const unusedSinceMs = performance.now() - UNUSED_AFTER_MS;
    for (const [socket, madeMs] of this.#connections) {
      if (socket.bytesRead === 0 && madeMs < unusedSinceMs) socket.destroy();
    }
  }
}
