import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { CALL, capture, captureEvents, captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSqlite } from 'deal-signals/stores/sqlite-driver';
import { createKey, servedRecords, startApi } from '../../client/api-world.ts';
import { temporaryFolder } from '../../../../../clients/typescript/test/temporary-folder.ts';
import { FEEDS, fileCopy, sqliteCopy } from '../../client/copies.ts';
import { type Running, startCommand, startProgram } from '../../client/run.ts';

const EVENTS = 1_500;
const KILLS = 6;
const LONGEST_PAUSE_MS = 150;

let database: TestDatabase;
let api: RunningApp;
let access: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await captureEvents(
    database.db,
    Array.from({ length: EVENTS }, (_, n) => `e${n}`),
  );
  await capture(database.db, {
    record: 'esign',
    id: 'contract-1',
    roomId: ROOM,
    vendor: 'penandink',
    envelopeId: 'env-1',
    status: 'sent',
  });
  api = await startApi(database.url);
  access = { DEAL_SIGNALS_URL: api.baseUrl, DEAL_SIGNALS_API_KEY: await createKey(api) };
});

afterAll(() => database.drop());

const served = (feed: string) => servedRecords(api, access['DEAL_SIGNALS_API_KEY'] ?? '', feed);

/**
 * Starts a program repeatedly, and kills it at a random moment after it has stored something new. The last start runs to its
 * end.
 *
 * @param stored returns how much it has stored so far.
 */
async function killRepeatedly(start: () => Running, stored: () => Promise<number>): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = await stored();
    const program = start();
    await until('the program to store something', async () => (await stored()) > before).catch(
      (error: unknown) => {
        throw new Error(program.stderr(), { cause: error });
      },
    );
    await sleep(Math.random() * LONGEST_PAUSE_MS);
    const { exitCode } = await program.end('SIGKILL');
    // The program was killed before it was done.
    expect(exitCode).toBeNull();
    // The source changes between the runs.
    await capture(database.db, { record: 'room', id: ROOM, name: `Globex ${kill}` });
    await captureEvents(database.db, [`while ${kill} ${Math.random()}`]);
  }
  expect(await start().ended).toMatchObject({ exitCode: 0 });
}

/** Returns the first column of the first row, or 0 while the file or the table does not exist. */
async function number(file: string, sql: string): Promise<number> {
  if (!existsSync(file)) return 0;
  const copy = await openSqlite(file);
  try {
    return Object.values(copy.prepare(sql).get() as Record<string, number>)[0] ?? 0;
  } catch {
    return 0;
  } finally {
    copy.close();
  }
}

test('a sync into SQLite that is killed at random moments produces a copy that equals the source', async () => {
  const file = path.join(temporaryFolder(), 'deals.db');
  const copy = sqliteCopy(file);
  const sync = () => startCommand(['sync', '--to', copy.target, '--page-size', '10'], access);
  await killRepeatedly(sync, () => number(file, 'SELECT count(*) FROM engagement_events'));
  await capture(database.db, {
    record: 'callSummary',
    callId: CALL,
    summary: { headline: 'after the crashes' },
  });
  expect(await sync().ended).toMatchObject({ exitCode: 0 });
  for (const feed of FEEDS) expect([feed, await copy.read(feed)]).toEqual([feed, await served(feed)]);
});

test('a sync into files that is killed at random moments leaves no gaps, partial lines or duplicates', async () => {
  const folder = path.join(temporaryFolder(), 'deals');
  const file = path.join(folder, 'engagement_events.ndjson');
  const copy = fileCopy(folder);
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);
  await killRepeatedly(
    () => startCommand(['sync', '--to', copy.target, '--page-size', '10'], access),
    () => Promise.resolve(lines()),
  );
  const source = await served('engagement/events');
  expect(await copy.read('engagement/events')).toEqual(source);
  expect(lines()).toBe(source.size);
});

test('a consumer that is killed at random moments handles each event exactly once', async () => {
  const file = path.join(temporaryFolder(), 'handled.db');
  const program = path.join(import.meta.dirname, 'following-process.ts');
  await killRepeatedly(
    () => startProgram(program, [file], access),
    () => number(file, 'SELECT count(*) FROM handled'),
  );
  const source = await served('engagement/events');
  expect(await number(file, 'SELECT count(*) FROM handled')).toBe(source.size);
  expect(await number(file, 'SELECT count(DISTINCT event_id) FROM handled')).toBe(source.size);
});
