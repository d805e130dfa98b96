import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { findRedisProgram } from '@deal-signals/local-stack/servers/redis-program';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';

// Runs the command with which the compose file starts Redis, without a container.

let folder: string;
let server: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-signals-redis-'));
});
afterEach(async () => {
  if (server.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

/** Starts it with a password, and with a socket instead of a port. */
async function start(password: string): Promise<string> {
  const file = parse(await readFile(path.join(REPOSITORY_ROOT, 'docker/compose.yaml'), 'utf8')) as {
    services: { redis: { command: [string, string, string] } };
  };
  const [shell, option, script] = file.services.redis.command;
  const socket = path.join(folder, 'redis.sock');
  // Compose turns `$$` into `$`. The program has the name that it has in the image, and may be Valkey. Without the option,
  // Redis would overwrite its command line with a title, and everyone could read the password until then.
  const own = script
    .replaceAll('$$', '$')
    .replace(
      'exec redis-server',
      `exec redis-server --set-proc-title no --port 0 --unixsocket ${socket} --dir ${folder}`,
    );
  await mkdir(path.join(folder, 'bin'));
  const program = execFileSync('which', [await findRedisProgram({})], { encoding: 'utf8' }).trim();
  await symlink(program, path.join(folder, 'bin/redis-server'));
  server = spawn(shell, [option, own], {
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, REDISCLI_AUTH: password },
    stdio: 'ignore',
  });
  return socket;
}

/** Returns the response of a server to a client that sends this password, or none, and then a command. */
async function ask(socket: string, password: string | undefined, ...command: string[]): Promise<string> {
  const commands = [...(password === undefined ? [] : [['AUTH', password]]), command, ['QUIT']];
  const connection = createConnection(socket);
  // RESP, the protocol of Redis: the number of words, and each word with its length in bytes.
  for (const words of commands) {
    connection.write(`*${words.length}\r\n`);
    for (const word of words) connection.write(`$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  }
  return text(connection);
}

test.each([
  'plain',
  '/+=@#?&%:;$!',
  'with space',
  '"quoted"',
  "'single'",
  '\\back\\slash',
  'ключ🔑',
  '${HOME}',
  '--flag',
  '%s',
])(
  'Redis of the compose file requires the password %s, which is not on its command line',
  async (password) => {
    const socket = await start(password);
    await until('Redis to respond', () =>
      ask(socket, password, 'PING').then((said) => said.includes('PONG')),
    );
    expect(await ask(socket, undefined, 'SET', 'key', 'value')).toContain('NOAUTH');
    const wrong = await ask(socket, `${password}.`, 'SET', 'key', 'value');
    expect(wrong).toMatch(/WRONGPASS[^]*NOAUTH/);
    expect(await ask(socket, password, 'SET', 'key', 'value')).toBe('+OK\r\n+OK\r\n+OK\r\n');
    expect(await ask(socket, password, 'CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
    expect(await ask(socket, password, 'CONFIG', 'GET', 'appendonly')).toContain('yes');
    const commandLine = execFileSync('ps', ['-o', 'args=', '-p', String(server.pid)], { encoding: 'utf8' });
    expect(commandLine).toContain('redis-server');
    expect(commandLine).not.toContain(password);
  },
);
