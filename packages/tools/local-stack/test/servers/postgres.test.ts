import { once } from 'node:events';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { findProcess } from '../../src/processes/process-identity.ts';
import { onFreePort } from '../../src/servers/ports.ts';
import { type PostgresServer, createDatabaseIfMissing, startPostgres } from '../../src/servers/postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const servers: PostgresServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(dataDir: string): Promise<PostgresServer> {
  const server = await onFreePort(0, (port) => startPostgres({ dataDir, port, settings: { fsync: 'off' } }));
  servers.push(server);
  return server;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('embedded PostgreSQL', () => {
  test('keeps its data from one start to the next and leaves no process behind', async () => {
    const dataDir = await temporaryFolder();
    const first = await start(dataDir);
    await createDatabaseIfMissing(first.url('postgres'), 'kept');
    await query(first.url('kept'), 'CREATE TABLE note AS SELECT 42 AS answer');
    await first.stop();
    expect(findProcess(first.process.pid)).toBeUndefined();

    const second = await start(dataDir);
    await createDatabaseIfMissing(second.url('postgres'), 'kept');
    expect(await query(second.url('kept'), 'SELECT answer FROM note')).toEqual([{ answer: 42 }]);
    expect(await query(second.url('kept'), "SELECT current_setting('fsync') AS fsync")).toEqual([
      { fsync: 'off' },
    ]);
  });

  test('listens on the loopback interface only, and requires the password', async () => {
    const server = await start(await temporaryFolder());
    const wrong = new URL(server.url('postgres'));
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);

    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal);
    if (outside !== undefined) {
      const socket = createConnection({ host: outside.address, port: server.port });
      await expect(once(socket, 'connect')).rejects.toThrow(/ECONNREFUSED/);
    }
  });

  test('reports why it does not start', async () => {
    const { port } = await start(await temporaryFolder());
    await expect(startPostgres({ dataDir: await temporaryFolder(), port })).rejects.toThrow(
      /PostgreSQL ended \(exit code 1\)[\s\S]*Address already in use/,
    );
  });
});
