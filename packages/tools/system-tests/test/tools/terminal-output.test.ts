import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { escapeForTerminal as escapeInClient } from 'deal-signals/command/escape-for-terminal';
import { escapeForTerminal } from '@deal-signals/db/escape-for-terminal';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startExecutable, startProgram } from '../client/run.ts';

// Tests how programs print texts from other sources. `packages/clients/typescript/test/command` does so for `deal-signals`.

/** A text that would set the title of a terminal, clear it, reverse the text direction, and add a line of its own. */
const HOSTILE = 'Globex\u001B]0;owned\u0007\u009B2J\u202E\u2028\r\nworkspace 9: fine';
const SHOWN = 'Globex ]0;owned 2J workspace 9: fine';
const OBEYED = /[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/u;

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
});
afterEach(() => database.drop());

function expectHarmless(written: string, shown = SHOWN): void {
  expect(written).toContain(shown);
  expect(written).not.toMatch(OBEYED);
}

/** Runs an operator command of the image. */
function operate(...args: string[]) {
  const program = path.join(currentTestRun().builtFolder, 'docker/operate.mjs');
  const shell = `cd '${currentTestRun().builtFolder}' && exec "$0" "$@"`;
  return startExecutable('/bin/sh', ['-c', shell, process.execPath, program, ...args], {
    DATABASE_URL: database.url,
  }).ended;
}

test.each(['api', 'worker'] as const)('%s escapes its reason for not starting', async (name) => {
  // The error about a pooler that drops settings names the role.
  const suffix = randomUUID().slice(0, 8);
  const role = `owned\u001B]0;x\u0007\u009B2J\n${suffix}`;
  await database.db.$executeRawUnsafe(`CREATE ROLE "${role}" LOGIN SUPERUSER PASSWORD 'x'`);
  const url = new URL(database.url);
  url.username = encodeURIComponent(role);
  url.password = 'x';
  url.searchParams.set('pgbouncer', 'true');
  try {
    const env = { DATABASE_URL: url.href, REDIS_URL: await createTestRedis() };
    const app = await startApp(name, env, { waitUntilReady: false });
    await app.waitForOutput('DATABASE_URL: the session has no');
    expect((await app.exited).exitCode).toBe(1);
    expectHarmless(app.output(), `ALTER ROLE "owned ]0;x 2J ${suffix}" SET`);
  } finally {
    await database.db.$executeRawUnsafe(`DROP ROLE "${role}"`);
  }
});

test('pnpm capture escapes the names of unknown fields', async () => {
  const record = { record: 'event', companyId: COMPANY, [HOSTILE]: 1 };
  const file = path.join(currentTestRun().folder, `hostile-${process.pid}.ndjson`);
  writeFileSync(file, `${JSON.stringify(record)}\n{"record":\u009B2J}\n`);
  const command = path.join(REPOSITORY_ROOT, 'packages/tools/local-stack/src/commands/capture.ts');
  const args = [file, '--on-error=continue'];
  const { stderr } = await startProgram(command, args, { DATABASE_URL: database.url }).ended;
  expectHarmless(stderr);
  expect(stderr).toMatch(/^line 2: expected a JSON object: /m);
});

test('the operator commands escape their errors', async () => {
  expectHarmless((await operate('migrate', '--applied', HOSTILE)).stderr);
  await database.db.$executeRawUnsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$BEGIN RAISE EXCEPTION USING MESSAGE = 'owned\b\u202E'; END$$;`);
  await database.db.room.updateMany({ data: { objectText: '{}' } });
  await database.db.$executeRawUnsafe(
    'CREATE TRIGGER refuse BEFORE UPDATE ON rooms EXECUTE FUNCTION refuse()',
  );
  expectHarmless((await operate('rebuild-texts')).stderr, '`owned `');
});

test('deal-signals escapes a text in the same way', () => {
  expect([escapeForTerminal(HOSTILE), escapeInClient(HOSTILE)]).toEqual([SHOWN, SHOWN]);
});
