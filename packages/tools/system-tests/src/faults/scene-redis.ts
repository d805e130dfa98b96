import path from 'node:path';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import { type RedisServer, startRedis } from '@deal-signals/local-stack/servers/redis';
import { Redis } from 'ioredis';

/** A Redis server for one test, which may wipe it and stop it. */
export interface SceneRedis {
  readonly url: string;
  /** Runs one command over a new connection. */
  command(name: string, ...args: string[]): Promise<unknown>;
  stop(): Promise<void>;
  /** Starts the server again on the same port, empty. */
  startEmpty(): Promise<void>;
}

/** Starts a Redis that stores nothing on disk. */
export async function startSceneRedis(folder: string): Promise<SceneRedis> {
  const serve = (port: number) =>
    startRedis({ dataDir: path.join(folder, 'redis'), port, settings: { appendonly: 'no' } });
  let server: RedisServer = await onFreePort(0, serve);
  const { port, url } = server;
  return {
    url,
    async command(name, ...args) {
      const redis = new Redis(url, { maxRetriesPerRequest: 1 });
      try {
        return await redis.call(name, ...args);
      } finally {
        redis.disconnect();
      }
    },
    async stop() {
      await server.stop();
    },
    async startEmpty() {
      server = await serve(port);
    },
  };
}
