import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between an app and a server, so that a test can take the server away and bring it back. */
export interface TcpProxy {
  /** The given URL, with this proxy as host. */
  readonly url: string;
  /** Connections stay open and nothing passes any more. */
  stall(): void;
  /** Over the connections that are open now requests still reach the server, and no answer comes back. */
  stallAnswers(): void;
  /** The connections that are open now stay so, and nothing will ever pass over them again; new ones are fine. */
  lose(): void;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Undoes `stall`, `stallAnswers` and `cut`; what was sent meanwhile passes now. */
  restore(): Promise<void>;
}

/** Starts a proxy in front of the server of a URL. It is ended with `cut`. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const pairs = new Set<[Socket, Socket]>();
  const lost = new Set<Socket>();
  let isStalled = false;

  const open = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      const pair: [Socket, Socket] = [client, upstream];
      pairs.add(pair);
      for (const [from, to] of [pair, pair.toReversed() as typeof pair]) {
        from.pipe(to);
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
  let server = await open(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    stall() {
      isStalled = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    stallAnswers() {
      for (const [, upstream] of pairs) upstream.pause();
    },
    lose() {
      for (const socket of [...pairs].flat()) lost.add(socket.pause());
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
