import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { CAPTURE_ENV, CAPTURE_TOKEN, captureUrlOf } from '@deal-signals/test-kit/capture-sender';
import { startReceiver, testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { captureWorkspace, LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScriptedApi } from '../../../../clients/typescript/test/feeds/scripted-api.ts';
import { startExecutable } from '../client/run.ts';
import {
  buildGoProgram,
  copyExamples,
  HAS_GO,
  HAS_PYTHON,
  readPage,
  startProgram,
} from '../docs/programs.ts';

// Runs the examples of the page against a real capture port.

const PAGE = readPage('capture.md');
/** The workspace of the page's examples. */
const SHOWN_COMPANY = 1001;
const HAS_CURL = spawnSync('curl', ['--version']).status === 0;
/** On a busy machine, compiling the standard library takes minutes. */
const GO_TIMEOUT_MS = 600_000;

let database: TestDatabase;
let api: RunningApp;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await database.db.$executeRaw`INSERT INTO companies (id, name) VALUES (${SHOWN_COMPANY}, 'Acme')`;
  await database.db.$executeRaw`INSERT INTO feed_clocks (company_id, at) VALUES (${SHOWN_COMPANY}, 'epoch')`;
  await start();
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function start(port = '0'): Promise<void> {
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    ...CAPTURE_ENV,
    CAPTURE_PORT: port,
  });
  env = { CAPTURE_URL: await captureUrlOf(api), CAPTURE_TOKEN };
}

const event = (key: string, distributionId = LINK) =>
  `${JSON.stringify({ record: 'event', companyId: COMPANY, key, type: 't', occurredAt: '2026-01-01', distributionId })}\n`;

const storedKeys = async (prefix: string) =>
  (
    await database.db.engagementEvent.findMany({
      where: { key: { startsWith: prefix } },
      orderBy: { id: 'asc' },
    })
  ).map(({ key }) => key);

describe(HAS_CURL ? 'curl' : 'CURL IS NOT ON THIS MACHINE: its commands are not run', () => {
  const commands = Array.from(PAGE.matchAll(/^```sh\n([\s\S]*?)^```/gm), ([, command = '']) => command);

  test('the commands of the page do what it describes', async () => {
    if (!HAS_CURL) return;
    const folder = mkdtempSync(path.join(currentTestRun().folder, 'curl-'));
    writeFileSync(path.join(folder, 'records.ndjson'), `${event('curl-1')}nonsense\n${event('curl-2')}`);
    const run = (command: string) => {
      const { stdout, stderr, status } = spawnSync('sh', ['-c', command], {
        cwd: folder,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
      expect([stderr, status]).toEqual(['', 0]);
      return stdout;
    };
    const [setUp, one, many, ...others] = commands;
    expect(setUp).toMatch(/^export CAPTURE_URL=http:\S+ CAPTURE_TOKEN=\S+\n$/);
    expect(others).toEqual([]);
    const [, shown = ''] = /^```jsonl\n([\s\S]*?)^```/m.exec(PAGE) ?? [];
    const parsed = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
    expect(parsed(run(one ?? ''))).toEqual(parsed(shown));
    expect(await database.db.room.count({ where: { companyId: SHOWN_COMPANY, name: 'Globex' } })).toBe(1);
    expect(parsed(run(many ?? '')).at(-1)).toEqual({
      done: true,
      captured: 2,
      unchanged: 0,
      refused: 1,
    });
    expect(await storedKeys('curl-')).toEqual(['curl-1', 'curl-2']);
  });
});

describe(HAS_PYTHON ? 'capture.py' : 'PYTHON3 IS NOT ON THIS MACHINE: capture.py is not run', () => {
  test('captures a file, reports rejected lines, and continues when the API is back', async () => {
    if (!HAS_PYTHON) return;
    const folder = copyExamples('capture');
    const keys = Array.from({ length: 2_500 }, (_, n) => `python-${n}`);
    const lines = keys.map((key) => event(key));
    lines.splice(1_200, 0, event('python-stray', uuid(99)), '\n');
    writeFileSync(path.join(folder, 'records.ndjson'), lines.join(''));
    const port = new URL(env['CAPTURE_URL'] ?? '').port;
    await api.kill9();
    const program = startProgram(folder, 'capture.py', env, ['records.ndjson']);
    await program.until('the failed connection', () =>
      program.output().includes('trying again after line 0'),
    );
    await start(port);
    expect(await program.exited).toBe(1);
    expect(program.output()).toMatch(/^line 1201: .*"distributionId"/m);
    expect(await storedKeys('python-')).toEqual(keys);
  });
});

describe(HAS_PYTHON ? 'capture.py and its URL' : 'PYTHON3 IS NOT ON THIS MACHINE', () => {
  /** Runs the program with a URL. Returns its exit code and its output. */
  async function runWith(url: string, ownEnv: Record<string, string> = {}): Promise<[number | null, string]> {
    const folder = copyExamples('capture');
    writeFileSync(path.join(folder, 'records.ndjson'), event('url'));
    const program = startProgram(folder, 'capture.py', { CAPTURE_URL: url, CAPTURE_TOKEN, ...ownEnv }, [
      'records.ndjson',
    ]);
    return [await program.exited, program.output()];
  }

  test('uses TLS for an https URL and keeps its path', async () => {
    if (!HAS_PYTHON) return;
    const receiver = await startReceiver({ respond: { status: 200, body: '{"done":true}\n' } });
    const { host } = new URL(receiver.url);
    const trusts = { SSL_CERT_FILE: testCaFile() };
    expect(await runWith(`https://${host}/below/`, trusts)).toEqual([0, '']);
    expect(receiver.requests.map(({ method, path: to }) => `${method} ${to}`)).toEqual([
      'POST /below/records?onError=continue',
    ]);
    await receiver.close();
  });

  test.each(['ftp://127.0.0.1', '127.0.0.1:3003', 'https:///records', ''])('rejects %j', async (url) => {
    if (!HAS_PYTHON) return;
    expect(await runWith(url)).toEqual([1, 'CAPTURE_URL must begin with https:// or http://\n']);
  });

  test('follows no redirect, and never sends the token in plain text to an https URL', async () => {
    if (!HAS_PYTHON) return;
    const other = await startScriptedApi((response) => response.end('{"done":true}\n'));
    const redirecting = await startScriptedApi((response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    expect(await runWith(new URL(redirecting.url).origin)).toEqual([1, '307 \n']);
    const plain = createServer();
    const bytes: Buffer[] = [];
    plain.on('connection', (socket) => socket.on('data', (chunk) => bytes.push(chunk) && socket.destroy()));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const folder = copyExamples('capture');
    writeFileSync(path.join(folder, 'records.ndjson'), event('url'));
    const { port } = plain.address() as AddressInfo;
    const program = startProgram(
      folder,
      'capture.py',
      { CAPTURE_URL: `https://127.0.0.1:${port}`, CAPTURE_TOKEN },
      ['records.ndjson'],
    );
    await program.until('the program to try again', () =>
      program.output().includes('trying again after line 0'),
    );
    await program.kill();
    // The first byte of a TLS record.
    expect(Buffer.concat(bytes)[0]).toBe(22);
    expect(Buffer.concat(bytes).includes(CAPTURE_TOKEN)).toBe(false);
    expect(other.requests).toEqual([]);
    plain.close();
    await other.close();
    await redirecting.close();
  });
});

describe(HAS_GO ? 'capture.go' : 'GO IS NOT ON THIS MACHINE: capture.go is not compiled', () => {
  test(
    'compiles and captures its record',
    async () => {
      if (!HAS_GO) return;
      const folder = copyExamples('capture');
      await database.db.$executeRaw`
      INSERT INTO rooms (company_id, id, name, status, created_at, last_activity_at, object_text)
      VALUES (${SHOWN_COMPANY}, ${uuid(70)}::uuid, 'Initech', 'open', now(), now(), '{}')`;
      await database.db.$executeRaw`
      INSERT INTO distributions (company_id, id, room_id, identity, recipient_name, updated_at)
      VALUES (${SHOWN_COMPANY}, ${uuid(71)}::uuid, ${uuid(70)}::uuid, ${`link:${uuid(71)}`}, 'Bob', now())`;
      const program = buildGoProgram(folder, 'capture.go');
      const run = (distributionId: string) =>
        spawnSync(program, { env: { ...env, DISTRIBUTION_ID: distributionId }, encoding: 'utf8' });
      const { stderr, status } = run(uuid(71));
      expect([stderr, status]).toEqual(['', 0]);
      expect(await storedKeys('visit-')).toEqual(['visit-4711']);
      const refused = run(uuid(99));
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain('line 1 is refused: [{Field:distributionId Message:');
      const other = await startScriptedApi((response) => response.end('{"done":true}\n'));
      const location = other.url.replace('127.0.0.1', 'localhost');
      const redirecting = await startScriptedApi((response) => response.writeHead(307, { location }).end());
      const redirected = startExecutable(program, [], { ...env, CAPTURE_URL: redirecting.url });
      expect(await redirected.ended).toMatchObject({ exitCode: 1, stderr: `redirected to ${location}\n` });
      expect(other.requests).toEqual([]);
      await other.close();
      await redirecting.close();
    },
    GO_TIMEOUT_MS,
  );
});
