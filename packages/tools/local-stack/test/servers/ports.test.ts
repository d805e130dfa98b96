import { once } from 'node:events';
import { type Server, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { findFreePort, onFreePort } from '../../src/servers/ports.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(port = 0, host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(port, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('findFreePort', () => {
  test('returns the preferred port if it is free', async () => {
    const port = await findFreePort(0);
    expect(await findFreePort(port)).toBe(port);
  });

  test.each(['127.0.0.1', '0.0.0.0', '::1', '::'])('skips a port that is taken on %s', async (host) => {
    const port = await listen(0, host);
    expect(await findFreePort(port)).toBeGreaterThan(port);
  });
});

describe('onFreePort', () => {
  test('tries the next port if the first one is taken between the check and the use', async () => {
    const attempts: number[] = [];
    const preferred = await findFreePort(0);
    const used = await onFreePort(preferred, async (port) => {
      attempts.push(port);
      if (attempts.length === 1) {
        await listen(port);
        throw new Error('EADDRINUSE');
      }
      return port;
    });
    expect(attempts).toEqual([preferred, used]);
    expect(used).toBeGreaterThan(preferred);
  });

  test('rethrows an error that has nothing to do with the port', async () => {
    let calls = 0;
    const start = async () => {
      calls += 1;
      throw new Error('broken');
    };
    await expect(onFreePort(0, start)).rejects.toThrow('broken');
    expect(calls).toBe(1);
  });
});
