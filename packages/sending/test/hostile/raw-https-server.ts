import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { currentTestRun } from '@deal-signals/test-kit/test-run';

/** Answers a request byte by byte; what it throws or leaves open is cleaned up. */
export type Answer = (socket: TLSSocket) => void | Promise<void>;

/** A server that speaks TLS and then whatever a test wants, right or wrong. */
export interface RawServer {
  readonly url: string;
  /** Connections that are open now. */
  openConnections(): number;
  /** What it has written over all its connections, what the buffers along the way hold included. */
  bytesWritten(): number;
  close(): Promise<void>;
}

/** Starts one on 127.0.0.1 that gives every request the same answer. */
export async function startRawServer(answer: Answer, tls?: TlsOptions): Promise<RawServer> {
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
        Promise.resolve(answer(socket)).catch(() => socket.destroy());
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

/** Writes a text once, byte for byte, and closes. */
export function closeAfter(text: string): Answer {
  return (socket) => {
    socket.end(text, 'latin1');
  };
}

/** Writes a text once, byte for byte, and keeps the connection open. */
export function openAfter(text: string): Answer {
  return (socket) => {
    socket.write(text, 'latin1');
  };
}

/** Writes a beginning, and then the same text for as long as anybody reads it. */
export function endless(beginning: string, text: string): Answer {
  return async (socket) => {
    socket.write(beginning, 'latin1');
    const chunk = Buffer.from(text.repeat(Math.ceil(16_384 / text.length)), 'latin1');
    // A reader that is gone never drains.
    const closed = once(socket, 'close').catch(() => {});
    while (!socket.destroyed)
      await (socket.write(chunk) ? sleep(0) : Promise.race([once(socket, 'drain'), closed]));
  };
}

/** Writes a beginning, and then a little text every few milliseconds. */
export function dripping(beginning: string, text: string): Answer {
  return (socket) => {
    socket.write(beginning, 'latin1');
    const drip = setInterval(() => socket.write(text, 'latin1'), 20);
    socket.on('close', () => clearInterval(drip));
  };
}
