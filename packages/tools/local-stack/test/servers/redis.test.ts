import { createConnection } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { findProcess } from '../../src/processes/process-identity.ts';
import { onFreePort } from '../../src/servers/ports.ts';
import { type RedisServer, startRedis } from '../../src/servers/redis.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const servers: RedisServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(dataDir: string): Promise<RedisServer> {
  const server = await onFreePort(0, (port) => startRedis({ dataDir, port }));
  servers.push(server);
  return server;
}

/** Sends inline commands and returns all responses. */
function send(port: number, ...commands: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write([...commands, 'QUIT', ''].join('\r\n')));
    socket.on('data', (text) => (response += text));
    socket.on('error', reject);
    socket.on('close', () => resolve(response));
  });
}

describe('Redis', () => {
  test('keeps its data from one start to the next and leaves no process behind', async () => {
    const dataDir = `${await temporaryFolder()}/with "quotes" and blanks`;
    const first = await start(dataDir);
    await send(first.port, 'SET kept yes');
    await first.stop();
    expect(findProcess(first.process.pid)).toBeUndefined();

    const second = await start(dataDir);
    expect(await send(second.port, 'GET kept')).toContain('yes');
  });

  test('never evicts a job and listens on the loopback interface only', async () => {
    const server = await start(await temporaryFolder());
    const settings = await send(
      server.port,
      'CONFIG GET maxmemory-policy',
      'CONFIG GET bind',
      'CONFIG GET appendonly',
    );
    expect(settings.split('\r\n').filter((line) => /^[a-z0-9]/.test(line))).toEqual([
      'maxmemory-policy',
      'noeviction',
      'bind',
      '127.0.0.1',
      'appendonly',
      'yes',
    ]);
  });

  test('reports why it does not start', async () => {
    const { port } = await start(await temporaryFolder());
    await expect(startRedis({ dataDir: await temporaryFolder(), port })).rejects.toThrow(
      /Redis ended \(exit code 1\)[\s\S]*Address already in use/,
    );
  });
});
