import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSqlite } from 'deal-signals/stores/sqlite-driver';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import {
  CALL,
  capture,
  captureEvents,
  captureWorkspace,
  LINK,
  ROOM,
} from '@deal-signals/test-kit/worlds/captured';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../../../clients/typescript/test/temporary-folder.ts';
import { type FeedRecord, manage, createKey, servedRecords } from '../client/api-world.ts';
import { type Copy, FEEDS, sqliteCopy } from '../client/copies.ts';
import {
  installPythonPackage,
  PACKAGE,
  type PythonEnvironment,
  WHY_NOT,
} from '../client/python/environment.ts';
import { run, type Running, startExecutable } from '../client/run.ts';

const EVENTS = 300;
/** Small enough to be used up within a test, and large enough for the other tests, which have keys of their own. */
const RATE_LIMIT = 120;

let database: TestDatabase;
let api: RunningApp;
let environment: PythonEnvironment | undefined;

beforeAll(async () => {
  if (WHY_NOT !== undefined) return;
  [environment, database] = await Promise.all([installPythonPackage(), createTestDatabase()]);
  if (environment === undefined) return;
  await captureWorkspace(database.db);
  await captureEvents(
    database.db,
    Array.from({ length: EVENTS }, (_, n) => `e${n}`),
  );
  await capture(
    database.db,
    { record: 'callSummary', callId: CALL, summary: { headline: 'They want it' } },
    view('v1'),
  );
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
  });
});

afterAll(() => database?.drop());

const view = (key: string) => ({
  record: 'view' as const,
  key,
  distributionId: LINK,
  startedAt: '2026-09-02T10:00:00Z',
  endedAt: '2026-09-02T10:05:00Z',
  segments: [[0, 60]] as [number, number][],
});

/** Starts a program of the folder `python` with the installed package. */
function startPython(program: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const file = path.join(import.meta.dirname, '../client/python', program);
  return startExecutable(environment?.python ?? '', [file, ...args], {
    PYTHONDONTWRITEBYTECODE: '1',
    ...env,
  });
}

async function access(): Promise<Record<string, string>> {
  return { DEAL_SIGNALS_URL: api.baseUrl, DEAL_SIGNALS_API_KEY: await createKey(api) };
}

/** Returns what the API serves now, by feed. */
async function served(): Promise<Map<string, Map<string, FeedRecord>>> {
  const key = await createKey(api);
  const records = FEEDS.map(async (feed) => [feed, await servedRecords(api, key, feed)] as const);
  return new Map(await Promise.all(records));
}

async function read(copy: Copy): Promise<Map<string, Map<string, FeedRecord>>> {
  return new Map(await Promise.all(FEEDS.map(async (feed) => [feed, await copy.read(feed)] as const)));
}

/** Waits until a copy equals what the API serves now. */
async function untilCopied(copy: Copy): Promise<void> {
  const source = await served();
  await until('the copy to be complete', async () => {
    expect(await read(copy)).toEqual(source);
    return true;
  });
}

/** Returns how often the handler received each event. */
async function timesHandled(file: string): Promise<Record<string, number>> {
  const copy = await openSqlite(file);
  const rows = copy
    .prepare("SELECT id, count(*) AS times FROM handled WHERE feed = 'engagement/events' GROUP BY id")
    .all() as { id: string; times: number }[];
  copy.close();
  return Object.fromEntries(rows.map(({ id, times }) => [id, times]));
}

async function onceEach(): Promise<Record<string, number>> {
  const events = (await served()).get('engagement/events')?.keys() ?? [];
  return Object.fromEntries(Array.from(events, (id) => [id, 1]));
}

const newFile = () => path.join(temporaryFolder(), 'deals.db');

describe(WHY_NOT === undefined ? 'the Python client' : `${WHY_NOT}: the Python client is not tested`, () => {
  /** Defines a test that is skipped where the package cannot be installed. */
  const testPython = (name: string, body: (installed: PythonEnvironment) => Promise<void> | void): void =>
    test(name, async () => {
      if (environment !== undefined) await body(environment);
    });

  testPython('is built as a wheel and a source distribution, with its types', ({ built, python }) => {
    const [wheel = '', source = ''] = built;
    expect(wheel).toMatch(/^deal_signals-[\d.]+-py3-none-any\.whl$/);
    expect(built).toEqual([wheel, source]);
    expect(source).toBe(wheel.replace('-py3-none-any.whl', '.tar.gz'));
    const list =
      'import importlib.metadata as m; print(m.requires("deal-signals"), sorted({str(f) for f in m.files("deal-signals")}))';
    const output = execFileSync(python, ['-c', list], { encoding: 'utf8' });
    expect(output).toMatch(/^\['httpx[^']*'\] /);
    for (const file of ['deal_signals/py.typed', 'deal_signals/types.py', 'licenses/LICENSE']) {
      expect(output).toContain(file);
    }
    expect(output).not.toContain('tests');
  });

  testPython('passes its own tests', ({ python }) => {
    const { status, stderr } = spawnSync(python, ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
      cwd: PACKAGE,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^Ran \d{2,} tests in /m);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/\nOK\n$/)]);
  });

  testPython('has types that mypy accepts, and so do the programs of the docs', ({ python, toolsPython }) => {
    const folder = temporaryFolder();
    const shown = [
      'docs/client-python.md',
      'docs/first-sync.md',
      'packages/clients/python/README.md',
    ].flatMap((page) =>
      Array.from(
        readFileSync(path.join(REPOSITORY_ROOT, page), 'utf8').matchAll(/^```python\n([\s\S]*?)^```$/gm),
        ([, source = '']) => source,
      ),
    );
    expect(shown.length).toBeGreaterThan(4);
    const files = shown.map((source, n) => {
      const file = path.join(folder, `shown${n}.py`);
      writeFileSync(file, source);
      return file;
    });
    // The web frameworks are not installed, so their types are unknown.
    const rules = [
      '[mypy]\nstrict = True\ndisallow_untyped_decorators = False',
      '[mypy-flask.*,fastapi.*]\nignore_missing_imports = True',
    ];
    writeFileSync(path.join(folder, 'mypy.ini'), rules.join('\n'));
    const options = ['--config-file', path.join(folder, 'mypy.ini'), '--python-executable', python];
    const { stdout, status } = spawnSync(
      toolsPython,
      ['-m', 'mypy', ...options, '--cache-dir', path.join(folder, 'cache'), 'src', 'tests', ...files],
      { cwd: PACKAGE, encoding: 'utf8' },
    );
    expect([stdout, status]).toEqual([expect.stringMatching(/^Success: /), 0]);
  });

  testPython('copies all feeds, follows them, and ends on a signal', async () => {
    const copy = newFile();
    const program = startPython('follow.py', [copy, 'follow'], await access());
    await untilCopied(sqliteCopy(copy));
    await capture(
      database.db,
      { record: 'room', id: ROOM, name: 'Globex Ltd', status: 'won' },
      { record: 'callSummary', callId: CALL, summary: { headline: 'They bought it' } },
      view('v2'),
    );
    await captureEvents(database.db, ['while it follows']);
    await untilCopied(sqliteCopy(copy));
    expect(await timesHandled(copy)).toEqual(await onceEach());
    expect(await program.end('SIGINT')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  testPython('copies all feeds with the program of the guide to the first sync', async ({ python }) => {
    const guide = readFileSync(path.join(REPOSITORY_ROOT, 'docs/first-sync.md'), 'utf8');
    const [, source = ''] = /^```python\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    const copy = newFile();
    const program = path.join(path.dirname(copy), 'first_sync.py');
    writeFileSync(program, source.replace('deals.db', copy));
    const running = startExecutable(python, [program], await access());
    await untilCopied(sqliteCopy(copy));
    await running.end('SIGKILL');
  });

  testPython('handles each event exactly once when it is killed between a page and its cursor', async () => {
    const copy = newFile();
    const env = { ...(await access()), PAGE_SIZE: '20' };
    for (const page of ['2', '5', '9']) {
      const { exitCode } = await startPython('follow.py', [copy, 'backfill'], { ...env, CRASH_IN_PAGE: page })
        .ended;
      expect(exitCode).toBeNull();
    }
    await captureEvents(database.db, ['after the crashes']);
    expect(await startPython('follow.py', [copy, 'backfill'], env).ended).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect(await read(sqliteCopy(copy))).toEqual(await served());
    expect(await timesHandled(copy)).toEqual(await onceEach());
  });

  testPython('waits as long as the API requires when the key has used up its requests', async () => {
    const copy = newFile();
    const env = { ...(await access()), PAGE_SIZE: '2', STOP_WHEN_REFUSED: '1' };
    const { exitCode, stdout } = await startPython('follow.py', [copy, 'backfill'], env).ended;
    expect(exitCode).toBe(0);
    const { problem, seconds } = JSON.parse(stdout.split('\n')[0] ?? '');
    expect(problem).toMatch(/^engagement\/events: 429 RATE_LIMITED /);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(Object.keys(await timesHandled(copy)).length).toBeLessThan(EVENTS);
    const again = startPython('follow.py', [copy, 'backfill'], await access());
    expect(await again.ended).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(await timesHandled(copy)).toEqual(await onceEach());
  });

  testPython('continues a copy of the npm package, and rejects that of another workspace', async () => {
    const copy = newFile();
    expect(await run(['sync', '--to', `sqlite:${copy}`], await access())).toMatchObject({ exitCode: 0 });
    await captureEvents(database.db, ['for Python']);
    const program = startPython('follow.py', [copy, 'backfill'], await access());
    expect(await program.ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await read(sqliteCopy(copy))).toEqual(await served());
    expect(Object.values(await timesHandled(copy))).toEqual([1]);

    const other = 2002;
    await capture(database.db, { record: 'company', companyId: other, id: other, name: 'Other' } as never);
    const env = { DEAL_SIGNALS_URL: api.baseUrl, DEAL_SIGNALS_API_KEY: await createKey(api, other) };
    const { exitCode, stderr } = await startPython('follow.py', [copy, 'backfill'], env).ended;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the API key belongs to workspace 2002')]);
  });

  testPython(
    'verifies real deliveries by both signatures, and rejects another secret and an expired one',
    async () => {
      const secretFile = path.join(temporaryFolder(), 'secret');
      const { certificateFile, certificateKeyFile } = currentTestRun();
      const program = startPython('receive.py', [certificateFile, certificateKeyFile, secretFile]);
      await program.untilWritten('https://127.0.0.1:');
      const [url = ''] = program.stdout().split('\n');
      const { secret, data } = await manage(api, '/webhooks', { url, events: ['*'] });
      writeFileSync(secretFile, secret);
      const ping = async () => (await manage(api, `/webhooks/${data.id}/ping`, {})).data.status;
      expect(await ping()).toBe('delivered');
      // During the overlap of a rotation, the old secret is valid as well.
      await manage(api, `/webhooks/${data.id}/rotate-secret`, { overlapSeconds: 600 });
      expect(await ping()).toBe('delivered');
      await until('both to be printed', () => program.stdout().split('\n').length === 4);
      const { stdout } = await program.end('SIGKILL');
      const outcome = {
        service: 'integration.ping',
        standard: 'integration.ping',
        anotherSecret: 'SIGNATURE_MISMATCH',
        later: 'TIMESTAMP_OUT_OF_TOLERANCE',
        status: 204,
      };
      expect(
        stdout
          .split('\n')
          .slice(1, 3)
          .map((line) => JSON.parse(line)),
      ).toMatchObject([outcome, outcome]);
    },
  );
});
