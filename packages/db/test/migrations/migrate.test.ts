import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { markAsApplied, migrate } from '../../src/migrations/migrate.ts';
import { readMigrations, readScripts } from '../../src/migrations/schema-files.ts';
import { connectionProblem } from '../../src/migrations/session.ts';
import { createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';
import { schemaFolder } from './schema-folder.ts';

let database: EmptyDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

const FIRST = { '20260101000000_first': 'CREATE TABLE first (id int);' };
const SECOND = { '20260102000000_second': 'CREATE TABLE second (id int);' };

/** Returns the rows of `_prisma_migrations`, in the order of their start: name and whether it is finished. */
const history = async () =>
  (
    await database.query<{ name: string; finished: boolean }>(
      `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations
       WHERE rolled_back_at IS NULL ORDER BY started_at`,
    )
  ).map(({ name, finished }) => (finished ? name : `${name} (unfinished)`));

const tables = async () =>
  (
    await database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND left(tablename, 1) <> '_'
       ORDER BY tablename`,
    )
  ).map(({ name }) => name);

/** Runs a program of this package as a process of its own. */
function run(args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { NODE_OPTIONS: _jestFlags, ...inherited } = process.env;
  return spawn(process.execPath, ['--conditions=source', '--import', 'tsx', ...args], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function runCommand(databaseUrl: string) {
  const command = run(['src/migrations/migrate-command.ts'], { DATABASE_URL: databaseUrl });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(command.stdout!),
    text(command.stderr!),
    once(command, 'exit') as Promise<[number | null]>,
  ]);
  return { stdout, stderr, exitCode };
}

/** The statement with which a migration of the test waits while the gate is closed. */
const PASS_GATE = 'SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1)';

/** Closes the gate: a session that holds the lock. */
async function closeGate(): Promise<{ open: () => Promise<void> }> {
  const client = new Client({ connectionString: database.url });
  // The database is dropped even if the test fails while this session is open.
  client.on('error', () => {});
  await client.connect();
  await client.query('SELECT pg_advisory_lock(1)');
  return { open: () => client.end() };
}

/** Returns how many sessions of a migration wait for a lock. */
const waiting = async () => {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'deal-signals-migrate' AND wait_event = 'advisory'`,
  );
  return row?.count ?? 0;
};

describe('migrate', () => {
  test('applies what is missing, oldest first, and nothing twice', async () => {
    const folder = await schemaFolder({ ...SECOND, ...FIRST });
    expect(await migrate(database.url, { folder })).toEqual([
      '20260101000000_first',
      '20260102000000_second',
    ]);
    expect(await history()).toEqual(['20260101000000_first', '20260102000000_second']);
    expect(await tables()).toEqual(['first', 'second']);
    expect(await migrate(database.url, { folder })).toEqual([]);
    expect(await history()).toHaveLength(2);
  });

  test('applies a migration that is older than the newest applied one', async () => {
    await migrate(database.url, { folder: await schemaFolder(SECOND) });
    const folder = await schemaFolder({ ...FIRST, ...SECOND });
    expect(await migrate(database.url, { folder })).toEqual(['20260101000000_first']);
  });

  test('leaves a database unchanged that has additional migrations', async () => {
    await migrate(database.url, { folder: await schemaFolder({ ...FIRST, ...SECOND }) });
    expect(await migrate(database.url, { folder: await schemaFolder(FIRST) })).toEqual([]);
  });

  test('runs in sessions with the settings it needs, regardless of those of the database', async () => {
    for (const setting of [
      "lock_timeout = '0'",
      "timezone = 'America/New_York'",
      "statement_timeout = '1s'",
      "default_transaction_isolation = 'serializable'",
      "synchronous_commit = 'off'",
      'datestyle = SQL, DMY',
      "standard_conforming_strings = 'off'",
      "search_path = 'elsewhere'",
    ]) {
      await database.query(`ALTER DATABASE ${database.name} SET ${setting}`);
    }
    const folder = await schemaFolder({
      '20260101000000_settings': `CREATE TABLE settings AS
        SELECT name, setting FROM pg_settings
        WHERE name IN
          ('TimeZone', 'lock_timeout', 'statement_timeout', 'transaction_isolation', 'synchronous_commit', 'DateStyle',
           'standard_conforming_strings', 'search_path')`,
    });
    await migrate(database.url, { folder });
    expect(await database.query('SELECT * FROM public.settings ORDER BY name')).toEqual([
      { name: 'DateStyle', setting: 'ISO, DMY' },
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'lock_timeout', setting: '1000' },
      { name: 'search_path', setting: 'public' },
      { name: 'standard_conforming_strings', setting: 'on' },
      { name: 'statement_timeout', setting: '0' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'transaction_isolation', setting: 'read committed' },
    ]);
  });
});

describe('several migrations at once', () => {
  const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);

  test('in one process apply each migration and script once', async () => {
    const names = namesOf(await readMigrations());
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
    expect(applied.flat()).toEqual([...names, ...namesOf(await readScripts())]);
    expect(await history()).toEqual(names);
  });

  test('in several processes apply each migration and script once', async () => {
    const names = namesOf(await readMigrations());
    const runs = await Promise.all(Array.from({ length: 2 }, () => runCommand(database.url)));
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
      { exitCode: 0, stderr: '' },
      { exitCode: 0, stderr: '' },
    ]);
    expect(runs.map(({ stdout }) => stdout).toSorted()).toEqual([
      [...names, ...namesOf(await readScripts())].map((name) => `applied ${name}\n`).join(''),
      'nothing to apply: the database is up to date\n',
    ]);
    expect(await history()).toEqual(names);
  });

  test('do not wait for each other longer than they may', async () => {
    const gate = await closeGate();
    const folder = await schemaFolder({
      '20260101000000_slow': `${PASS_GATE}; CREATE TABLE slow (id int);`,
    });
    const slow = migrate(database.url, { folder });
    await until('the slow migration to wait', async () => (await waiting()) === 1);
    await expect(migrate(database.url, { folder, lockTimeoutMs: 100 })).rejects.toThrow(
      /^Another migration of this database still runs after 0\.1 s: wait for it to end, then try again$/,
    );
    await gate.open();
    expect(await slow).toEqual(['20260101000000_slow']);
  });
});

describe('a migration that does not end well', () => {
  test('leaves nothing behind when a statement fails, and reports the migration and the line', async () => {
    const broken = {
      ...FIRST,
      '20260102000000_broken':
        'CREATE TABLE broken (id int);\n-- Ä\nSELECT 1;\nALTER TABLE missing ADD x int;\n',
    };
    await expect(migrate(database.url, { folder: await schemaFolder(broken) })).rejects.toThrow(
      /^The migration 20260102000000_broken failed: relation "missing" does not exist/,
    );
    const misspelt = {
      ...FIRST,
      '20260102000000_broken': 'CREATE TABLE broken (id int);\n-- Ä\nSELEKT 1;\n',
    };
    await expect(migrate(database.url, { folder: await schemaFolder(misspelt) })).rejects.toThrow(
      /^The migration 20260102000000_broken failed: syntax error at or near "SELEKT" \(line 3\)$/,
    );
    expect(await history()).toEqual(['20260101000000_first']);
    expect(await tables()).toEqual(['first']);
    const mended = await schemaFolder({
      ...FIRST,
      '20260102000000_broken': 'CREATE TABLE mended (id int);',
    });
    expect(await migrate(database.url, { folder: mended })).toEqual(['20260102000000_broken']);
    expect(await tables()).toEqual(['first', 'mended']);
  });

  test('leaves nothing behind when the process is killed', async () => {
    const gate = await closeGate();
    const folder = await schemaFolder({
      ...FIRST,
      '20260102000000_killed': `CREATE TABLE killed (id int); ${PASS_GATE}; CREATE TABLE killed_too (id int);`,
    });
    const program = `
      const { migrate } = await import(${JSON.stringify(new URL('../../src/migrations/migrate.ts', import.meta.url))});
      await migrate(${JSON.stringify(database.url)}, { folder: ${JSON.stringify(folder)} });`;
    const killed = run(['--input-type=module', '--eval', program]);
    await until('the migration to be half-way', async () => (await waiting()) === 1);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await gate.open();
    // Waits until the server has noticed, because the session of the killed process still holds the lock.
    expect(await migrate(database.url, { folder })).toEqual(['20260102000000_killed']);
    expect(await tables()).toEqual(['first', 'killed', 'killed_too']);
    expect(await history()).toEqual(['20260101000000_first', '20260102000000_killed']);
  });

  test('is rejected when its script ends the transaction, and the next run says what to do', async () => {
    const name = '20260101000000_commits';
    const folder = await schemaFolder({
      [name]: 'CREATE TABLE one (id int); COMMIT; CREATE TABLE two (id int);',
    });
    await expect(migrate(database.url, { folder })).rejects.toThrow(
      /^The migration 20260101000000_commits failed: it must not begin or end a transaction$/,
    );
    expect(await history()).toEqual([`${name} (unfinished)`]);
    await expect(migrate(database.url, { folder })).rejects.toThrow(
      new RegExp(
        `^The migration ${name} began at \\d{4}-\\d\\d-\\d\\dT.*Z and did not finish, and it cannot be applied again: ` +
          `relation "one" already exists\\. If all .* run "pnpm migrate --applied ${name}" .*$`,
      ),
    );
    expect(await history()).toEqual([`${name} (unfinished)`]);
    await expect(markAsApplied(database.url, 'elsewhere', { folder })).rejects.toThrow(
      /^There is no migration elsewhere$/,
    );
    await markAsApplied(database.url, name, { folder });
    expect(await migrate(database.url, { folder })).toEqual([]);
    await expect(markAsApplied(database.url, name, { folder })).rejects.toThrow(
      /^The migration 20260101000000_commits is not one that began and did not finish$/,
    );
  });

  test('is applied again when it left nothing behind, like one that another tool has begun', async () => {
    const folder = await schemaFolder(FIRST);
    await migrate(database.url, { folder });
    await database.query(
      `UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0, logs = 'ERROR: division by zero'`,
    );
    await database.query('DROP TABLE first');
    expect(await migrate(database.url, { folder })).toEqual(['20260101000000_first']);
    expect(await history()).toEqual(['20260101000000_first']);
    expect(await tables()).toEqual(['first']);
  });
});

describe('a migration that needs a lock that another session holds', () => {
  const ALTER = { '20260103000000_alter': 'ALTER TABLE first ADD COLUMN note text;' };
  const ADDED = `SELECT FROM information_schema.columns WHERE table_name = 'first' AND column_name = 'note'`;

  /** A long read of the table. It conflicts only with a change of the table. */
  async function startRead(): Promise<{ end: () => Promise<void> }> {
    const client = new Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM first');
    return { end: () => client.end() };
  }

  test('leaves the lock queue, reports that, and is applied when the lock is free', async () => {
    await migrate(database.url, { folder: await schemaFolder(FIRST) });
    const folder = await schemaFolder({ ...FIRST, ...ALTER });
    const read = await startRead();
    const said: string[] = [];
    const migrating = migrate(database.url, { folder, say: (line) => said.push(line) });
    // A write that queues up behind the migration is served while the read still runs.
    await until('the migration to wait in the line', async () => {
      const rows = await database.query(
        `SELECT FROM pg_locks WHERE relation = 'first'::regclass AND NOT granted AND mode = 'AccessExclusiveLock'`,
      );
      return rows.length === 1;
    });
    await database.query('INSERT INTO first VALUES (1)');
    await until('the migration to say that it waits', () => said.length > 0);
    expect(said[0]).toBe(
      '20260103000000_alter: another session holds a lock that it needs; trying again in 1 s',
    );
    await read.end();
    expect(await migrating).toEqual(['20260103000000_alter']);
    expect(said.at(-1)).toBe('applied 20260103000000_alter');
    expect(await database.query(ADDED)).toHaveLength(1);
  });

  test('gives up after a while, leaves nothing behind, and says what to do', async () => {
    await migrate(database.url, { folder: await schemaFolder(FIRST) });
    const folder = await schemaFolder({ ...FIRST, ...ALTER });
    const read = await startRead();
    await expect(migrate(database.url, { folder, patienceMs: 0 })).rejects.toThrow(
      /^The migration 20260103000000_alter was not applied, because other sessions hold locks that it needs: in pg_stat_activity,/,
    );
    expect(await history()).toEqual(['20260101000000_first']);
    await read.end();
    expect(await migrate(database.url, { folder, patienceMs: 0 })).toEqual(['20260103000000_alter']);
  });
});

describe('a migration outside a transaction', () => {
  const INDEX = {
    '20260103000000_index':
      '-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "first_id_idx" ON first (id);\n',
  };
  const isValid = async () => {
    const rows = await database.query<{ indisvalid: boolean }>(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('first_id_idx')`,
    );
    return rows[0]?.indisvalid;
  };

  test('that is killed while it builds an index is continued by the next run, while others wait for it', async () => {
    await migrate(database.url, { folder: await schemaFolder(FIRST) });
    const folder = await schemaFolder({ ...FIRST, ...INDEX });
    const writer = new Client({ connectionString: database.url });
    writer.on('error', () => {});
    await writer.connect();
    await writer.query('BEGIN; INSERT INTO first VALUES (1)');
    const program = `
      const { migrate } = await import(${JSON.stringify(new URL('../../src/migrations/migrate.ts', import.meta.url))});
      await migrate(${JSON.stringify(database.url)}, { folder: ${JSON.stringify(folder)} });`;
    const killed = run(['--input-type=module', '--eval', program]);
    await until('the index to be half-built', async () => (await isValid()) === false);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    // The server continues for a killed client until it has something to send to it.
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'deal-signals-migrate'`,
    );
    expect(await history()).toEqual(['20260101000000_first', '20260103000000_index (unfinished)']);
    expect(await isValid()).toBe(false);
    // Two runs at once: one of them builds the index, which waits for the writer and for every snapshot.
    const runs = [migrate(database.url, { folder }), migrate(database.url, { folder })];
    await until('the remains to be removed', async () => {
      const rows = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await writer.end();
    expect((await Promise.all(runs)).flat()).toEqual(['20260103000000_index']);
    expect(await isValid()).toBe(true);
    expect(await history()).toEqual(['20260101000000_first', '20260103000000_index']);
  });

  test('that moves rows in batches keeps those that it has committed, and continues after them', async () => {
    const rows = { '20260102000000_rows': 'INSERT INTO first SELECT generate_series(1, 10);' };
    const batches = {
      '20260103000000_batches': `-- outside a transaction
        DO $$
        BEGIN
          LOOP
            UPDATE first SET id = id + 100 WHERE id IN (SELECT id FROM first WHERE id < 100 ORDER BY id LIMIT 2);
            EXIT WHEN NOT FOUND;
            COMMIT;
          END LOOP;
        END $$;`,
    };
    await migrate(database.url, { folder: await schemaFolder({ ...FIRST, ...rows }) });
    const folder = await schemaFolder({ ...FIRST, ...rows, ...batches });
    const writer = new Client({ connectionString: database.url });
    writer.on('error', () => {});
    await writer.connect();
    await writer.query('BEGIN; UPDATE first SET id = 5 WHERE id = 5');
    await expect(migrate(database.url, { folder, patienceMs: 0 })).rejects.toThrow(
      /hold locks that it needs/,
    );
    const [moved] = await database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM first WHERE id > 100',
    );
    expect(moved?.count).toBe(4);
    await writer.end();
    expect(await migrate(database.url, { folder })).toEqual(['20260103000000_batches']);
    expect(await database.query('SELECT FROM first WHERE id > 100 AND id <= 110')).toHaveLength(10);
  });
});

describe('a history that does not fit', () => {
  test('is rejected when an applied migration was changed', async () => {
    await migrate(database.url, { folder: await schemaFolder(FIRST) });
    const changed = { '20260101000000_first': 'CREATE TABLE first (id bigint);', ...SECOND };
    await expect(migrate(database.url, { folder: await schemaFolder(changed) })).rejects.toThrow(
      /^The migration 20260101000000_first was changed after it had been applied/,
    );
    expect(await tables()).toEqual(['first']);
  });

  test.each([
    ['\n', '\r\n'],
    ['\r\n', '\n'],
  ])('is valid when only line endings differ: %j and %j', async (applied, later) => {
    const sql = (end: string) => ['CREATE TABLE first (', 'id int', ');', ''].join(end);
    await migrate(database.url, { folder: await schemaFolder({ '20260101000000_first': sql(applied) }) });
    const folder = await schemaFolder({ '20260101000000_first': sql(later) });
    expect(await migrate(database.url, { folder })).toEqual([]);
  });

  test('is rejected when there is none and the database has tables', async () => {
    await database.query('CREATE TABLE somebody_elses (id int)');
    await expect(migrate(database.url)).rejects.toThrow(
      /^The database has tables but no migration history \(_prisma_migrations\): use an empty one$/,
    );
    expect(await tables()).toEqual(['somebody_elses']);
  });
});

describe('a database that cannot be migrated', () => {
  const at = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  test.each([
    ['refuses connections', (url: URL) => (url.port = '1'), /ECONNREFUSED/],
    [
      'has a name that does not resolve',
      (url: URL) => (url.hostname = 'nowhere.invalid'),
      /nowhere\.invalid/,
    ],
    ['does not exist', (url: URL) => (url.pathname = '/nowhere'), /database "nowhere" does not exist/],
  ])('because it %s is reported in one sentence', async (_what, change, reason) => {
    const error = await migrate(at(change)).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).toMatch(/^The database cannot be reached: (?!Error)\S[^\n]*$/);
    expect((error as Error).message).toMatch(reason);
  });

  test('because none of its addresses accepts connections is reported with each of them', async () => {
    const socket = connect({
      host: 'database.example',
      port: 1,
      lookup: (_host, _options, callback) =>
        callback(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '127.0.0.2', family: 4 },
        ]),
    });
    const [error] = (await once(socket, 'close').catch((thrown: unknown) => [thrown])) as [unknown];
    expect(connectionProblem(error)).toBe(
      'connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1',
    );
  });

  test('because its URL leads to a pooler is reported in one sentence', async () => {
    const url = at(({ searchParams }) => searchParams.set('pgbouncer', 'true'));
    await expect(migrate(url)).rejects.toThrow(
      /^The database cannot be migrated through a pooler: give migrations a DATABASE_URL of PostgreSQL itself/,
    );
    expect(await tables()).toEqual([]);
  });

  test('because it only reads is reported in one sentence', async () => {
    await database.query(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`);
    await expect(migrate(database.url)).rejects.toThrow(
      /^The database cannot be migrated: cannot execute CREATE TABLE in a read-only transaction$/,
    );
  });

  test('is one line on standard error for the command of the image', async () => {
    expect(await runCommand(at((url) => (url.port = '1')))).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The database cannot be reached: .*ECONNREFUSED.*\n$/),
    });
  });
});
