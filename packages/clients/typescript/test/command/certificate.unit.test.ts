import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { runCommand } from '../../src/command/run-command.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Runs the command. Returns its exit code and what it said. */
async function run(...args: string[]) {
  const lines: string[] = [];
  const exitCode = await runCommand(['certificate', ...args], {
    env: {},
    input: () => {
      throw new Error('not read');
    },
    print: (line) => lines.push(line),
    report: (line) => lines.push(line),
    showProgress: null,
    signal: new AbortController().signal,
  });
  return { exitCode, said: lines.join('\n') };
}

test('a server with the certificate is trusted by who knows it, under each of its names, and its key is private', async () => {
  const folder = temporaryFolder();
  expect((await run('hooks.test', '--out', folder)).exitCode).toBe(0);
  const keyFile = path.join(folder, 'localhost.key');
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const ca = readFileSync(path.join(folder, 'localhost.crt'));
  const server = createServer({ cert: ca, key: readFileSync(keyFile) }, (_request, response) =>
    response.end('hello'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (servername: string, trusted?: Buffer) => {
    const options = {
      port,
      host: '127.0.0.1',
      servername,
      agent: false,
      ...(trusted && { ca: trusted }),
    } as const;
    const [response] = (await once(get(options), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  try {
    for (const name of ['localhost', 'hooks.test']) expect(await ask(name, ca)).toBe(200);
    await expect(ask('other.test', ca)).rejects.toThrow('altnames');
    await expect(ask('localhost')).rejects.toThrow('self-signed certificate');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('files that are there are only replaced when that is asked for', async () => {
  const folder = temporaryFolder();
  const key = path.join(folder, 'localhost.key');
  writeFileSync(key, 'mine', { mode: 0o644 });
  const refused = await run('--out', folder);
  expect([refused.exitCode, refused.said]).toEqual([2, expect.stringContaining(`${key} would be replaced`)]);
  expect(readFileSync(key, 'utf8')).toBe('mine');
  expect((await run('--out', folder, '--force')).exitCode).toBe(0);
  expect(readFileSync(key, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY/);
  expect(statSync(key).mode & 0o777).toBe(0o600);
});
