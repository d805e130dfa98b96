import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** Writes a response, byte by byte. An error closes the connection. */
export type Respond = (socket: TLSSocket) => void | Promise<void>;

/** A TLS server that responds with arbitrary bytes. */
export interface RawServer {
  readonly url: string;
  /** Returns how many connections are open now. */
  openConnections(): number;
  /** Returns the number of bytes written to all connections, including those that are still in buffers. */
  bytesWritten(): number;
  close(): Promise<void>;
}

/** Starts such a server on 127.0.0.1. Every request gets the same response. */
export async function startRawServer(respond: Respond, tls?: TlsOptions): Promise<RawServer> {
  const { certificateFile, certificateKeyFile } = currentTestRun();
  const open = new Set<TLSSocket>();
  const sockets: TLSSocket[] = [];
  const server = createServer(
    tls ?? { cert: readFileSync(certificateFile), key: readFileSync(certificateKeyFile) },
    (socket) => {
      open.add(socket);
      sockets.push(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => {});
      socket.once('data', () => {
        Promise.resolve(respond(socket)).catch(() => socket.destroy());
      });
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    openConnections: () => open.size,
    bytesWritten: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes a text byte for byte and closes the connection. */
export function closeAfter(text: string): Respond {
  return (socket) => {
    socket.end(text, 'latin1');
  };
}

/** Writes a text byte for byte and keeps the connection open. */
export function openAfter(text: string): Respond {
  return (socket) => {
    socket.write(text, 'latin1');
  };
}

/** Writes a beginning, and then repeats a text for as long as the client reads. */
export function endless(beginning: string, text: string): Respond {
  return async (socket) => {
    socket.write(beginning, 'latin1');
    const chunk = Buffer.from(text.repeat(Math.ceil(16_384 / text.length)), 'latin1');
    // A socket whose client has disconnected never drains.
    const closed = once(socket, 'close').catch(() => {});
    while (!socket.destroyed)
      await (socket.write(chunk) ? sleep(0) : Promise.race([once(socket, 'drain'), closed]));
  };
}

/** Writes a beginning, and then repeats a text every 20 ms. */
export function dripping(beginning: string, text: string): Respond {
  return (socket) => {
    socket.write(beginning, 'latin1');
    const drip = setInterval(() => socket.write(text, 'latin1'), 20);
    socket.on('close', () => clearInterval(drip));
  };
}
