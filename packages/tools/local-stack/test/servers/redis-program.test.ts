import { existsSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readStartOptions } from '../../src/commands/start-options.ts';
import { createClosers } from '../../src/processes/closers.ts';
import { runStack } from '../../src/run-stack.ts';
import { findRedisProgram } from '../../src/servers/redis-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const OS_RELEASE = '/etc/os-release';
const CAN_INSTALL =
  process.getuid?.() === 0 && existsSync(OS_RELEASE) && /debian/.test(readFileSync(OS_RELEASE, 'utf8'));
const onDebian = CAN_INSTALL ? '' : '; NOT CHECKED HERE, it takes root on Debian';

const search = process.env['PATH'];
/** The only folder on the PATH. */
let folder: string;
let said: string[];

beforeEach(async () => {
  folder = await temporaryFolder();
  process.env['PATH'] = folder;
  said = [];
});
afterEach(() => {
  process.env['PATH'] = search;
});

/** Puts an apt-get on the PATH that records its arguments. Its `install` creates a redis-server next to itself. */
async function fakeAptGet(): Promise<{ calls: () => string[] }> {
  const log = path.join(folder, 'apt-get.log');
  const redis = path.join(folder, 'redis-server');
  const script = [
    '#!/bin/sh',
    `echo "$*" >> ${log}`,
    `case "$*" in *" install "*) echo '#!/bin/sh' > ${redis}; /bin/chmod 755 ${redis};; esac`,
  ];
  await writeFile(path.join(folder, 'apt-get'), `${script.join('\n')}\n`, { mode: 0o755 });
  return { calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []) };
}

describe('findRedisProgram', () => {
  test('lists the remedies when there is no program and none can be installed', async () => {
    await expect(findRedisProgram({ say: (line) => said.push(line) })).rejects.toThrow(
      /Redis is missing[\s\S]*install Redis or Valkey[\s\S]*set REDIS_URL[\s\S]*as root on Debian or Ubuntu/,
    );
    expect(said).toEqual([]);
  });

  test(`announces that it installs a package, and how to prevent it${onDebian}`, async () => {
    if (!CAN_INSTALL) return;
    const { calls } = await fakeAptGet();
    const say = (line: string) => said.push(`${line} (after ${calls().length} commands)`);
    expect(await findRedisProgram({ say })).toBe(path.join(folder, 'redis-server'));
    expect(said).toEqual([
      expect.stringMatching(
        /installing the package redis-server.*--no-install.*REDIS_URL.*\(after 0 commands\)/,
      ),
    ]);
    expect(calls()).toEqual([
      expect.stringMatching(/ update$/),
      expect.stringMatching(/ install --no-install-recommends redis-server$/),
    ]);
  });

  test('installs nothing when that is forbidden, and lists the alternatives', async () => {
    const { calls } = await fakeAptGet();
    await expect(findRedisProgram({ say: (line) => said.push(line), mayInstall: false })).rejects.toThrow(
      /--no-install forbids[\s\S]*install Redis or Valkey[\s\S]*set REDIS_URL[\s\S]*leave out --no-install/,
    );
    expect([said, calls()]).toEqual([[], []]);
  });
});

test('pnpm start --no-install installs nothing', async () => {
  const { calls } = await fakeAptGet();
  // PostgreSQL is started before Redis; as root it needs this program.
  const setpriv = (search ?? '')
    .split(path.delimiter)
    .map((each) => path.join(each, 'setpriv'))
    .find(existsSync);
  if (setpriv !== undefined) await symlink(setpriv, path.join(folder, 'setpriv'));
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...environment } = process.env;
  const closers = createClosers();
  const options = readStartOptions(['--no-demo', '--no-install'], environment);
  try {
    await expect(
      runStack(options, {
        folder: await temporaryFolder(),
        environment,
        closers,
        signal: new AbortController().signal,
        fail: () => {},
        hurry: new AbortController().signal,
        say: (line) => said.push(line),
        onDelivery: () => {},
      }),
    ).rejects.toThrow('--no-install forbids');
  } finally {
    await closers.closeAll((what, error) => {
      throw new Error(`${what} did not end`, { cause: error });
    });
  }
  expect(calls()).toEqual([]);
});
