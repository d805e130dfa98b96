import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';

/** A proxy between an app and a server, with which a test can take the server away and bring it back. */
export interface TcpProxy {
  /** The target URL, with the proxy as its host. */
  readonly url: string;
  /** Keeps all connections open but forwards nothing. */
  stall(): void;
  /** Delays each response, as a distant or slow server would. */
  delayResponses(ms: number): void;
  /** On the current connections, forwards requests to the server but no responses back. */
  stallResponses(): void;
  /** Keeps the current connections open, but never forwards anything over them again. New ones work. */
  lose(): void;
  /** Keeps the current connections. New ones are forwarded to another server. */
  leadTo(targetUrl: string): void;
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Undoes `stall`, `stallResponses` and `cut`, and forwards what was sent in the meantime. */
  restore(): Promise<void>;
}

/** Starts a proxy in front of the server at a URL. `cut` closes it. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  let target = new URL(targetUrl);
  const pairs = new Set<[Socket, Socket]>();
  const lost = new Set<Socket>();
  let isStalled = false;
  let delayMs = 0;

  const open = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      const pair: [Socket, Socket] = [client, upstream];
      pairs.add(pair);
      client.pipe(upstream);
      pipeline(
        upstream,
        delayed(() => delayMs),
        client,
        () => {},
      );
      for (const [from, to] of [pair, pair.toReversed() as typeof pair]) {
        from.on('error', () => to.destroy());
        from.on('close', () => {
          to.destroy();
          pairs.delete(pair);
        });
        if (isStalled) from.pause();
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await onFreePort(0, open);
  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    stall() {
      isStalled = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    delayResponses(ms) {
      delayMs = ms;
    },
    stallResponses() {
      for (const [, upstream] of pairs) upstream.pause();
    },
    lose() {
      for (const socket of [...pairs].flat()) lost.add(socket.pause());
    },
    leadTo(otherUrl) {
      target = new URL(otherUrl);
    },
    async cut() {
      if (!server.listening) return;
      server.close();
      for (const socket of [...pairs].flat()) socket.destroy();
      await once(server, 'close');
    },
    async restore() {
      isStalled = false;
      for (const socket of [...pairs].flat()) if (!lost.has(socket)) socket.resume();
      if (!server.listening) server = await open(port);
    },
  };
}

/** Forwards each chunk after a delay. */
function delayed(delayMs: () => number): Transform {
  return new Transform({
    transform(piece, _encoding, passOn) {
      const ms = delayMs();
      if (ms === 0) passOn(null, piece);
      else setTimeout(() => passOn(null, piece), ms);
    },
  });
}
