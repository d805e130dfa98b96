import { randomUUID } from 'node:crypto';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { urlFor } from '@deal-signals/test-kit/databases/database-roles';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { UnmigratedDatabaseError, UnusableDatabaseError } from '../src/database-errors.ts';
import { Database } from '../src/database.ts';
import { Prisma } from '../src/generated/client.ts';
import { readMigrations, readScripts } from '../src/migrations/schema-files.ts';
import { createSchemaWatch } from '../src/migrations/schema-watch.ts';
import { nextPauseMs, untilDatabaseIsUsable } from '../src/start-up.ts';

let database: TestDatabase;
const opened: Database[] = [];
const waits: AbortController[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const stop of waits.splice(0)) stop.abort();
  await Promise.all(opened.splice(0).map((db) => db.close()));
  await database.drop();
});

function open(url: string): Database {
  const db = new Database({ url, poolSize: 1, applicationName: 'test', statementTimeoutMs: 5_000 });
  opened.push(db);
  return db;
}

/** Waits for a database as an app does, and records the reasons of the wait. */
function wait(db: Database, check: () => Promise<void> = async () => {}) {
  const stop = new AbortController();
  waits.push(stop);
  const reasons: unknown[] = [];
  const usable = untilDatabaseIsUsable(db, {
    check,
    schema: createSchemaWatch(),
    onWaiting: (reason) => reasons.push(reason),
    signal: stop.signal,
  });
  // Each test awaits the outcome; a test that fails before does not.
  usable.catch(() => {});
  return { usable, reasons, stop };
}

function withUrl(url: string, change: (url: URL) => void): string {
  const changed = new URL(url);
  change(changed);
  return changed.href;
}

async function expectUnusable(db: Database, message: string): Promise<void> {
  const { usable, reasons } = wait(db);
  await expect(usable).rejects.toBeInstanceOf(UnusableDatabaseError);
  await expect(usable).rejects.toMatchObject({ message });
  expect(reasons).toEqual([]);
}

describe('a correct database', () => {
  test('is usable immediately', async () => {
    const { usable, reasons } = wait(database.db);
    await usable;
    expect(reasons).toEqual([]);
  });

  test('may have additional migrations', async () => {
    await database.db.$executeRaw`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('later', '0', '99991231000000_later', now())`;
    await wait(database.db).usable;
  });

  test('may have migrations that were rolled back and then applied', async () => {
    await database.db.$executeRaw`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, rolled_back_at)
      SELECT 'failed', checksum, migration_name, 'ERROR', now() FROM _prisma_migrations LIMIT 1`;
    await wait(database.db).usable;
  });
});

test.each([
  ['pg_trgm', 'CREATE EXTENSION pg_trgm'],
  ['btree_gin', 'CREATE EXTENSION btree_gin'],
  ['btree_gin, pg_trgm', 'CREATE EXTENSION btree_gin; CREATE EXTENSION pg_trgm'],
])('a database without %s is not used', async (missing, statements) => {
  await database.db.$executeRawUnsafe(`DROP EXTENSION ${missing} CASCADE`);
  await expectUnusable(
    database.db,
    `DATABASE_URL: the database has no extension ${missing}, which the search needs: ` +
      `run ${statements} as a role that may create something in the database`,
  );
});

/** Settings that change the meaning or the result of statements, as an operator could set them for a database or a role. */
const OTHER_SETTINGS: [name: string, value: string, required: string][] = [
  ['timezone', 'America/New_York', 'UTC'],
  ['datestyle', 'SQL, DMY', 'ISO'],
  ['intervalstyle', 'iso_8601', 'postgres'],
  ['bytea_output', 'escape', 'hex'],
  ['extra_float_digits', '-15', '1'],
  ['array_nulls', 'off', 'on'],
  ['standard_conforming_strings', 'off', 'on'],
  ['transform_null_equals', 'on', 'off'],
  ['search_path', 'elsewhere', 'public'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['synchronous_commit', 'off', 'on'],
];

describe('a database or a role with settings of its own', () => {
  const READ = Prisma.sql`
    SELECT timestamptz '2026-03-29 01:30:00.123+00' AS at, date '2026-03-04' AS day, '\\x00ff'::bytea AS bytes,
           0.1::float8 + 0.2 AS number, ${[null, 'b']}::text[] AS list, 'a\\b' AS text, (SELECT NULL = NULL) AS equal,
           (interval '1 day 2 hours')::text AS pause, (date '2026-03-04')::text AS "dayText",
           (SELECT count(*)::int FROM companies) AS found`;

  test.each(['DATABASE', 'ROLE'])('changes none of ours: ALTER %s … SET', async (kind) => {
    const expected = await database.db.query(READ);
    const { pathname } = new URL(database.url);
    const role = `role_${randomUUID().slice(0, 8)}`;
    await database.db.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'x' IN ROLE signals_app`);
    const where = kind === 'ROLE' ? `ROLE ${role}` : `DATABASE ${pathname.slice(1)}`;
    for (const [name, value] of OTHER_SETTINGS) {
      const values = name === 'datestyle' ? value : `'${value}'`;
      await database.db.$executeRawUnsafe(`ALTER ${where} SET ${name} = ${values}`);
    }
    try {
      const db = open(withUrl(database.url, (url) => Object.assign(url, { username: role, password: 'x' })));
      await wait(db).usable;
      expect(await db.query(READ)).toEqual(expected);
      expect(await db.$queryRaw(READ)).toEqual(await database.db.$queryRaw(READ));
      expect(await db.company.count()).toBe(0);
    } finally {
      await database.db.$executeRawUnsafe(`DROP ROLE ${role}`);
    }
  });

  test.each(OTHER_SETTINGS.slice(1, 9))(
    'is not used if a pooler drops ours: %s = %s',
    async (name, value, required) => {
      const settings = `-c timezone=UTC -c ${name}=${value.replaceAll(' ', '\\ ')}`;
      const url = withUrl(database.url, ({ searchParams }) => searchParams.set('options', settings));
      await expectUnusable(open(url), `DATABASE_URL: ${name} must be ${required}, not ${value}`);
    },
  );

  test('is not used if triggers do not fire', async () => {
    const settings = '-c timezone=UTC -c session_replication_role=replica';
    const url = withUrl(database.url, ({ searchParams }) => searchParams.set('options', settings));
    await expectUnusable(open(url), 'DATABASE_URL: session_replication_role must be origin, not replica');
  });

  test('may have equivalent values', async () => {
    const settings =
      '-c timezone=UTC -c datestyle=ISO,\\ DMY -c extra_float_digits=3 -c synchronous_commit=local -c search_path=nowhere,public';
    await wait(open(withUrl(database.url, ({ searchParams }) => searchParams.set('options', settings))))
      .usable;
  });
});

describe('a database that must not be used', () => {
  test.each([
    ['-c timezone=America/New_York', 'the session time zone must be UTC, not America/New_York'],
    [
      '-c default_transaction_isolation=serializable',
      'the isolation level must be read committed, not serializable',
    ],
    ['-c synchronous_commit=off', 'synchronous_commit must not be off'],
  ])('because of its session settings: %s', async (options, problem) => {
    // The options of the URL win against those of the pool, unlike settings of the role or the database.
    const settings = options.startsWith('-c timezone') ? options : `-c timezone=UTC ${options}`;
    const url = withUrl(database.url, ({ searchParams }) => searchParams.set('options', settings));
    await expectUnusable(open(url), `DATABASE_URL: ${problem}`);
  });

  test('because a pooler drops its timeouts', async () => {
    const { pathname, username } = new URL(database.url);
    await database.db.$executeRawUnsafe(`ALTER DATABASE ${pathname.slice(1)} SET timezone = 'UTC'`);
    await database.db.$executeRawUnsafe(`ALTER DATABASE ${pathname.slice(1)} SET lock_timeout = '10s'`);
    const url = withUrl(database.url, ({ searchParams }) => searchParams.set('pgbouncer', 'true'));
    await expectUnusable(
      open(url),
      'DATABASE_URL: the session has no statement_timeout, idle_in_transaction_session_timeout, because a pooler drops ' +
        `what we ask for: run ALTER ROLE ${username} SET statement_timeout = '60s'; ALTER ROLE ${username} SET ` +
        "idle_in_transaction_session_timeout = '15s'; and let the pooler connect again",
    );
  });

  test('because it rejects the checks', async () => {
    await database.db.$executeRaw`REVOKE SELECT ON _prisma_migrations FROM signals_app`;
    try {
      await expectUnusable(
        open(urlFor('signals_app', database.url)),
        'DATABASE_URL: the database cannot be checked: permission denied for table _prisma_migrations',
      );
    } finally {
      await database.db.$executeRaw`GRANT SELECT ON _prisma_migrations TO signals_app`;
    }
  });

  test('because the check of the app fails', async () => {
    const { usable } = wait(database.db, async () => {
      throw new UnusableDatabaseError('SECRETS_KEY: is wrong');
    });
    await expect(usable).rejects.toThrow(new UnusableDatabaseError('SECRETS_KEY: is wrong'));
  });

  test('because a pooler rejects the settings of its sessions', async () => {
    const { usable, reasons } = wait(database.db, () =>
      Promise.reject(new Error('unsupported startup parameter: statement_timeout')),
    );
    await expect(usable).rejects.toThrow(/^DATABASE_URL: it leads to PgBouncer, .* add pgbouncer=true/);
    expect(reasons).toEqual([]);
  });

  test('passes on an error in the check of the app unchanged', async () => {
    const { usable } = wait(database.db, () => Promise.reject(new TypeError('a fault')));
    await expect(usable).rejects.toThrow(new TypeError('a fault'));
  });
});

describe('a database that lacks migrations or scripts', () => {
  const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);
  const remedy = 'run "pnpm migrate", or the migrate image of this version';

  async function expectWait(missing: string[], apply: () => Promise<unknown>): Promise<void> {
    let checks = 0;
    const { usable, reasons } = wait(database.db, async () => {
      checks += 1;
    });
    await until('the wait', () => reasons.length > 0);
    // The check of the app reads tables, which may not be there yet.
    expect(checks).toBe(0);
    expect(reasons[0]).toEqual(
      new UnmigratedDatabaseError(`the database is not migrated, it lacks ${missing.join(', ')}: ${remedy}`),
    );
    await apply();
    await usable;
    expect(checks).toBe(1);
  }

  test.each(['_prisma_migrations', '_applied_scripts'])(
    'is waited for when it was never migrated: without %s',
    async (table) => {
      await database.db.$executeRawUnsafe(`ALTER TABLE ${table} RENAME TO elsewhere`);
      await expectWait(namesOf([...(await readMigrations()), ...(await readScripts())]), () =>
        database.db.$executeRawUnsafe(`ALTER TABLE elsewhere RENAME TO ${table}`),
      );
    },
  );

  test('is waited for when it never had this version of a script', async () => {
    const change = (from: string, to: string) =>
      database.db.$executeRaw`
        UPDATE _applied_scripts SET checksum = replace(checksum, ${from}, '') || ${to} WHERE name = 'people.sql'`;
    await change('', 'former');
    await expectWait(['people.sql'], () => change('former', ''));
  });

  test('is usable when it has a later version of a script', async () => {
    await database.db.$executeRaw`INSERT INTO _applied_scripts VALUES ('people.sql', 'later', now())`;
    await wait(database.db).usable;
  });

  test.each([
    ['is missing', `migration_name = 'other'`],
    ['has not finished', 'finished_at = NULL'],
    ['was rolled back', 'rolled_back_at = now()'],
  ])('is waited for when a migration %s', async (_what, change) => {
    const last = namesOf(await readMigrations()).at(-1) ?? '';
    const [row] = await database.db.$queryRaw<{ id: string }[]>`
      SELECT id FROM _prisma_migrations WHERE migration_name = ${last}`;
    await database.db.$executeRawUnsafe(`UPDATE _prisma_migrations SET ${change} WHERE id = $1`, row?.id);
    await expectWait(
      [last],
      () => database.db.$executeRaw`
        UPDATE _prisma_migrations SET migration_name = ${last}, finished_at = now(), rolled_back_at = NULL
        WHERE id = ${row?.id}`,
    );
  });

  test('is checked again only while something is missing, or after a statement did not find a schema object', async () => {
    const schema = createSchemaWatch();
    let asked = 0;
    let isAway = false;
    const counting = {
      $queryRaw: (...parameters: Parameters<typeof database.db.$queryRaw>) => {
        asked += 1;
        if (isAway) return Promise.reject(new Error('away'));
        return database.db.$queryRaw(...parameters);
      },
    } as unknown as Database;
    const look = async () => {
      const before = asked;
      return { missing: await schema.askIfInDoubt(counting), isAsked: asked > before };
    };
    expect(await schema.ask(counting)).toEqual([]);
    schema.notice(await database.db.$queryRaw`SELECT 1 / 0`.catch((error: unknown) => error));
    expect(await look()).toEqual({ missing: [], isAsked: false });
    const watched = new Database({
      url: database.url,
      poolSize: 1,
      applicationName: 'test',
      statementTimeoutMs: 5_000,
      onFailure: (error) => schema.notice(error),
    });
    opened.push(watched);
    const reads = [
      () => watched.$queryRaw`SELECT nothing FROM companies`,
      () => watched.query(Prisma.sql`SELECT 1 FROM nowhere`),
      () => watched.$queryRaw`SELECT no_function()`,
    ];
    for (const read of reads) {
      await expect(read()).rejects.toThrow();
      expect(await look()).toEqual({ missing: [], isAsked: true });
      expect(await look()).toEqual({ missing: [], isAsked: false });
    }
    const last = namesOf(await readMigrations()).at(-1) ?? '';
    await database.db.$executeRaw`DELETE FROM _prisma_migrations WHERE migration_name = ${last}`;
    await expect(reads[0]?.()).rejects.toThrow();
    isAway = true;
    expect(await look()).toEqual({ missing: [], isAsked: true });
    isAway = false;
    for (let round = 0; round < 2; round += 1) {
      expect(await look()).toEqual({ missing: [last], isAsked: true });
    }
    expect(schema.missing()).toEqual([last]);
  });
});

describe('a database that is unavailable', () => {
  let proxy: TcpProxy;

  beforeEach(async () => {
    proxy = await startTcpProxy(database.url);
  });
  afterEach(() => proxy.cut());

  test('is waited for repeatedly', async () => {
    await proxy.cut();
    const { usable, reasons } = wait(open(proxy.url));
    await until('a second try', () => reasons.length >= 2);
    await proxy.restore();
    await usable;
  });

  test('is retried after increasing pauses', () => {
    const pausesMs = [nextPauseMs(undefined)];
    while (pausesMs.length < 7) pausesMs.push(nextPauseMs(pausesMs.at(-1)));
    expect(pausesMs).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  test('in the middle of a check is waited for as well', async () => {
    let checks = 0;
    const { usable, reasons } = wait(open(proxy.url), async () => {
      checks += 1;
      if (checks > 1) return;
      await proxy.cut();
      await database.db.close();
      await open(proxy.url).company.findFirst();
    });
    await until('the wait', () => reasons.length > 0);
    await proxy.restore();
    await usable;
    expect(checks).toBe(2);
  });

  test.each([
    ['its name does not resolve', (url: URL) => (url.hostname = 'nowhere.invalid')],
    ['its network is unreachable', (url: URL) => (url.hostname = '255.255.255.255')],
    ['its socket is not there', (url: URL) => url.searchParams.set('host', '/nowhere')],
    ['it does not exist', (url: URL) => (url.pathname = '/nowhere')],
    ['its password is not set yet', (url: URL) => (url.password = 'other')],
  ])('because %s', async (_why, change) => {
    const { usable, reasons, stop } = wait(open(withUrl(database.url, change)));
    await until('the wait', () => reasons.length > 0);
    stop.abort();
    await expect(usable).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    ['it accepts no connections', 'ALLOW_CONNECTIONS', 'false', 'true'],
    ['it has too many connections', 'CONNECTION LIMIT', '0', '-1'],
  ])('because %s', async (_why, option, away, back) => {
    const name = new URL(database.url).pathname.slice(1);
    // The limit does not apply to superusers.
    const role = `role_${randomUUID().slice(0, 8)}`;
    const server = open(withUrl(database.url, (changed) => (changed.pathname = '/postgres')));
    await server.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'x' IN ROLE signals_app`);
    await server.$executeRawUnsafe(`ALTER DATABASE ${name} WITH ${option} ${away}`);
    const url = withUrl(database.url, (changed) => {
      changed.username = role;
      changed.password = 'x';
    });
    try {
      const { usable, reasons } = wait(open(url));
      await until('the wait', () => reasons.length > 0);
      await server.$executeRawUnsafe(`ALTER DATABASE ${name} WITH ${option} ${back}`);
      await usable;
    } finally {
      await server.$executeRawUnsafe(`DROP ROLE ${role}`);
    }
  });

  test('is waited for until the signal is aborted, even while a connection is being opened', async () => {
    proxy.stall();
    const db = open(proxy.url);
    const { usable, stop } = wait(db);
    await until('the connection to be opened', () => db.use().used === 1);
    stop.abort(new Error('told to stop'));
    await expect(usable).rejects.toThrow('told to stop');
    // The attempt is still running, because the wait did not wait for its end.
    expect(db.use().used).toBe(1);
    await proxy.restore();
  });

  test('is not contacted at all when the signal was aborted before', async () => {
    const stopped = AbortSignal.abort(new Error('told to stop'));
    const options = {
      check: async () => {},
      schema: createSchemaWatch(),
      onWaiting: () => {},
      signal: stopped,
    };
    await expect(untilDatabaseIsUsable(database.db, options)).rejects.toThrow('told to stop');
  });
});
