import { randomUUID } from 'node:crypto';
import { startTcpProxy, type TcpProxy } from '@deal-signals/test-kit/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { UnusableDatabaseError } from '../src/database-errors.ts';
import { type Database, openDatabase, poolUse } from '../src/database.ts';
import { readMigrationNames } from '../src/migrations/migration-files.ts';
import { nextPauseMs, untilDatabaseIsUsable } from '../src/start-up.ts';

let database: TestDatabase;
const opened: Database[] = [];
const waits: AbortController[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const stop of waits.splice(0)) stop.abort();
  await Promise.all(opened.splice(0).map((db) => db.$disconnect()));
  await database.drop();
});

function open(url: string): Database {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'test', statementTimeoutMs: 5_000 });
  opened.push(db);
  return db;
}

/** Waits for a database as an app does; keeps the reasons of the wait. */
function wait(db: Database, check: () => Promise<void> = async () => {}) {
  const stop = new AbortController();
  waits.push(stop);
  const reasons: unknown[] = [];
  const usable = untilDatabaseIsUsable(db, {
    check,
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

describe('a database that is as it should be', () => {
  test('is usable at once', async () => {
    const { usable, reasons } = wait(database.db);
    await usable;
    expect(reasons).toEqual([]);
  });

  test('may have migrations that this code does not know', async () => {
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

  const remedy = 'run "pnpm migrate", or the migrate image of this version';

  test('because it was never migrated', async () => {
    const names = await readMigrationNames();
    await database.db.$executeRaw`DROP TABLE _prisma_migrations`;
    await expectUnusable(
      database.db,
      `DATABASE_URL: the database is not migrated, it lacks ${names.join(', ')}: ${remedy}`,
    );
  });

  test.each([
    ['is missing', 'DELETE FROM _prisma_migrations'],
    ['has not finished', 'UPDATE _prisma_migrations SET finished_at = NULL'],
    ['was rolled back', 'UPDATE _prisma_migrations SET rolled_back_at = now()'],
  ])('because a migration %s', async (_what, statement) => {
    const last = (await readMigrationNames()).at(-1) ?? '';
    await database.db.$executeRawUnsafe(`${statement} WHERE migration_name = $1`, last);
    await expectUnusable(
      database.db,
      `DATABASE_URL: the database is not migrated, it lacks ${last}: ${remedy}`,
    );
  });

  test('because it refuses to be checked', async () => {
    const role = `role_${randomUUID().slice(0, 8)}`;
    await database.db.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    const url = withUrl(database.url, (changed) => {
      changed.username = role;
      changed.password = 'x';
    });
    try {
      await expectUnusable(
        open(url),
        'DATABASE_URL: the database cannot be checked: permission denied for table _prisma_migrations',
      );
    } finally {
      await database.db.$executeRawUnsafe(`DROP ROLE ${role}`);
    }
  });

  test('because the check of the app says so', async () => {
    const { usable } = wait(database.db, async () => {
      throw new UnusableDatabaseError('SECRETS_KEY: is wrong');
    });
    await expect(usable).rejects.toThrow(new UnusableDatabaseError('SECRETS_KEY: is wrong'));
  });

  test('a fault in the check of the app is passed on as it is', async () => {
    const { usable } = wait(database.db, () => Promise.reject(new TypeError('a fault')));
    await expect(usable).rejects.toThrow(new TypeError('a fault'));
  });
});

describe('a database that is unavailable', () => {
  let proxy: TcpProxy;

  beforeEach(async () => {
    proxy = await startTcpProxy(database.url);
  });
  afterEach(() => proxy.cut());

  test('is waited for, again and again', async () => {
    await proxy.cut();
    const { usable, reasons } = wait(open(proxy.url));
    await until('a second try', () => reasons.length >= 2);
    await proxy.restore();
    await usable;
  });

  test('is tried after longer and longer pauses', () => {
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
      await database.db.$disconnect();
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
    await server.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'x' IN ROLE pg_read_all_data`);
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

  test('is waited for until the signal comes, even while a connection is being opened', async () => {
    proxy.stall();
    const db = open(proxy.url);
    const { usable, stop } = wait(db);
    await until('the connection to be opened', () => poolUse(db).used === 1);
    stop.abort(new Error('told to stop'));
    await expect(usable).rejects.toThrow('told to stop');
    // The attempt is still running: nobody has waited for its end.
    expect(poolUse(db).used).toBe(1);
    await proxy.restore();
  });

  test('is not asked at all when the signal came before', async () => {
    const stopped = AbortSignal.abort(new Error('told to stop'));
    const options = { check: async () => {}, onWaiting: () => {}, signal: stopped };
    await expect(untilDatabaseIsUsable(database.db, options)).rejects.toThrow('told to stop');
  });
});
