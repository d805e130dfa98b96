import type { Server } from 'node:net';

/** How long a caller has to read the rest of the last response once the kernel has all of it. */
const LINGER_MS = 500;

/**
 * Limits the number of connections of a server, and how long a connection stays open after our side has ended it.
 *
 * Ending a socket closes only our side. The connection counts against the maximum until the caller closes the other side, and a
 * paused socket never notices that. So a connection is destroyed soon after this process or Node has ended our side.
 *
 * @param max the maximum number of connections. Further ones are closed as soon as they are accepted.
 */
export function boundConnections(server: Server, max: number): void {
  server.maxConnections = max;
  server.on('connection', (socket) => {
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  });
}
