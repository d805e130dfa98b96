import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { finishErasures } from '@deal-signals/capture/erasures/keep-erasing';
import { OPERATOR_COMMANDS } from '@deal-signals/local-stack/commands/operator-commands';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { capture, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// The operator commands of the image, as they are built and started there: without TypeScript and without pnpm.

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.company.create({
    data: { id: 1, name: 'Acme', feedClock: { create: { at: new Date() } } },
  });
});
afterAll(() => database.drop());

async function run(databaseUrl: string, ...args: string[]) {
  const { NODE_OPTIONS: _jestFlags, ...inherited } = process.env;
  const child = spawn(process.execPath, ['docker/operate.mjs', ...args], {
    cwd: currentTestRun().builtFolder,
    env: { ...inherited, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { exitCode, stdout, stderr };
}

test.each([
  [[], /^nothing to apply: the database is up to date\n$/],
  [['rebuild-texts'], /^(.*: wrote 0 texts of 0\n)+$/],
])('%j works', async (args, output) => {
  expect(await run(database.url, ...args)).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(output),
    stderr: '',
  });
});

test('erasures are printed, and repeated where erased data came back', async () => {
  const { db } = database;
  await capture(
    db,
    { record: 'room', id: ROOM, name: 'Globex' },
    { record: 'member', roomId: ROOM, email: 'zoe@globex.example', name: 'Zoe Quist' },
  );
  const [before] = await db.person.findMany();
  await capture(db, { record: 'erasePerson', email: 'zoe@globex.example' });
  await finishErasures(db);
  const kept = await run(database.url, 'erasures');
  expect(kept).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(kept.stdout)).toMatchObject({ companyId: 1, kind: 'person', personIds: [before!.id] });

  const file = path.join(mkdtempSync(path.join(tmpdir(), 'erasures-')), 'erasures.ndjson');
  writeFileSync(file, `${kept.stdout}not a line\n`);
  expect(await run(database.url, 'erasures', file)).toMatchObject({
    exitCode: 1,
    stdout: 'erasures read: 2; people and rooms that are erased again: 0\n',
    stderr: expect.stringMatching(/^line 2: .*\n$/),
  });
  // Restores the row as a backup contains it.
  await db.person.updateMany({
    data: { identity: before!.identity, email: before!.email, name: before!.name },
  });
  writeFileSync(file, kept.stdout);
  expect(await run(database.url, 'erasures', file)).toEqual({
    exitCode: 0,
    stdout: 'erasures read: 1; people and rooms that are erased again: 1\n',
    stderr: '',
  });
  expect(await db.person.findMany()).toMatchObject([{ id: before!.id, email: null, name: null }]);
});

test('the image has every operator command of a checkout except one, which is in the image of the API', async () => {
  const { stderr } = await run(database.url, 'unknown');
  // That command needs the encryption keys and the code that reads them.
  const expected = Object.keys(OPERATOR_COMMANDS).filter((name) => name !== 'reencrypt-secrets');
  const [, names = ''] = /The commands are: (.*)\n/.exec(stderr) ?? [];
  expect(names.split(', ').toSorted()).toEqual(['migrate', ...expected].toSorted());
});

test('a command reports an error in one line', async () => {
  const [unknown, applied, away] = await Promise.all([
    run(database.url, 'advance'),
    run(database.url, 'migrate', '--applied', 'other'),
    run('postgresql://127.0.0.1:1/nowhere', 'rebuild-texts'),
  ]);
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^Unknown command advance\. .*\n$/),
  });
  expect(applied).toEqual({ exitCode: 1, stdout: '', stderr: 'There is no migration other\n' });
  expect(away).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^rebuild-texts: .*\n$/) });
});
