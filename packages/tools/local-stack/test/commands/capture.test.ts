import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { captureWorkspace, LINK } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { REPOSITORY_ROOT } from '../../src/files/local-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const COMMAND = path.join(REPOSITORY_ROOT, 'packages/tools/local-stack/src/commands/capture.ts');

let database: TestDatabase;
const running = new Set<ChildProcessWithoutNullStreams>();

beforeEach(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await database.drop();
});

const event = (key: string, distributionId = LINK) =>
  `${JSON.stringify({ record: 'event', companyId: COMPANY, key, type: 't', occurredAt: '2026-01-01', distributionId })}\n`;

/** Starts the command as `pnpm capture` does. */
function start(...args: string[]) {
  const { NODE_OPTIONS: _jestFlags, ...environment } = process.env;
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', COMMAND, ...args], {
    cwd: REPOSITORY_ROOT,
    env: { ...environment, DATABASE_URL: database.url },
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([exitCode]) => {
    running.delete(child);
    return { exitCode: exitCode as number, stdout, stderr };
  });
  return { child, ended };
}

async function untilWaiting(child: ChildProcessWithoutNullStreams): Promise<void> {
  let stderr = '';
  child.stderr.on('data', (text: string) => (stderr += text));
  await until('the command shows that it waits', () => Promise.resolve(stderr.includes('waiting for')));
}

async function fileOf(text: string): Promise<string> {
  const file = path.join(await temporaryFolder(), 'records.ndjson');
  writeFileSync(file, text);
  return file;
}

const storedKeys = async () =>
  (await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } })).map(({ key }) => key);

describe('pnpm capture', () => {
  test('stores records from standard input before it ends, and reports where a signal stopped it', async () => {
    const { child, ended } = start('-');
    child.stdin.write(`${event('a')}${event('b')}{"record":"ev`);
    await until('the lines are stored', async () => (await storedKeys()).length === 2);
    child.kill('SIGTERM');
    expect(await ended).toEqual({
      exitCode: 143,
      stdout: '',
      stderr: expect.stringMatching(
        /^stopped by SIGTERM: everything up to line 2 is captured, what comes after it may not be\nrecords: 2 captured in/,
      ),
    });
  });

  test('stops at an invalid line, or skips it with --on-error=continue', async () => {
    const file = await fileOf(`${event('a')}nonsense\n${event('b', uuid(99))}${event('c')}`);
    const stopped = await start(file).ended;
    expect(stopped).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^line 2: expected a JSON object/),
    });
    expect(await storedKeys()).toEqual(['a']);
    const continued = await start(file, '--on-error=continue').ended;
    expect(continued.exitCode).toBe(1);
    expect(continued.stderr).toMatch(
      /^line 2: .*\nline 3: distributionId: .*\nrecords: 1 captured, 1 unchanged, 2 refused in .* s\n$/,
    );
    expect(await storedKeys()).toEqual(['a', 'c']);
  });

  test('validates with --dry-run and stores nothing', async () => {
    const file = await fileOf(`${event('a')}${event('b')}`);
    const { exitCode, stderr } = await start('--dry-run', file).ended;
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^records: 2 checked in .* s; nothing was stored\n$/);
    const long = await fileOf(Array.from({ length: 1_001 }, (_, n) => event(`k${n}`)).join(''));
    expect(await start('--dry-run', long).ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^records: 1000 checked, 1 validated in .* s; nothing was stored\n$/),
    });
    expect(await storedKeys()).toEqual([]);
  });

  test('accepts unknown fields with --lenient, and sends nothing with --no-webhooks', async () => {
    const file = await fileOf(event('a').replace('"type"', '"colour":"red","type"'));
    expect(await start(file).ended).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^line 1: colour: /),
    });
    await addEndpoint(database.db, { events: ['*'] });
    const { exitCode, stderr } = await start(file, '--lenient', '--no-webhooks').ended;
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^records: 1 captured in /)]);
    expect(await database.db.delivery.count()).toBe(0);
  });

  test('waits for a busy workspace up to --max-wait and shows progress', async () => {
    const file = await fileOf(event('a'));
    const { ended } = await database.db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT take_feed_clock(${COMPANY})`;
      const impatient = await start('--max-wait=1', file).ended;
      expect(impatient.exitCode).toBe(1);
      expect(impatient.stderr).toMatch(
        /^workspace \d+ was busy for 5 s: .*: everything up to line 0 is captured/,
      );
      const patient = start(file);
      await untilWaiting(patient.child);
      return patient;
    });
    expect(await ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(
        /^(waiting for workspace \d+, which another transaction is writing to: \d+ s\n)+records: 1 captured in/,
      ),
    });
    expect(await storedKeys()).toEqual(['a']);
  });

  test('stops waiting for a busy workspace at a signal', async () => {
    const { child, ended } = start(await fileOf(event('a')));
    await database.db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT take_feed_clock(${COMPANY})`;
      await untilWaiting(child);
      child.kill('SIGTERM');
      expect((await ended).exitCode).toBe(1);
    });
    expect(await storedKeys()).toEqual([]);
  });

  test('prints its usage and rejects unknown arguments', async () => {
    const help = await start('--help').ended;
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    for (const flag of ['--on-error=continue', '--dry-run', '--lenient', '--no-webhooks', '--max-wait=600'])
      expect(help.stdout).toContain(flag);
    for (const wrong of [
      ['--on-error=ignore', '-'],
      ['one', 'two'],
      ['--max-wait=soon', '-'],
    ]) {
      const { exitCode, stderr } = await start(...wrong).ended;
      expect([wrong, exitCode]).toEqual([wrong, 2]);
      expect(stderr).toContain('usage: pnpm capture FILE');
    }
  });
});
