import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { judge, type ServerIdentity } from '../src/connections/known-server.ts';
import { isDatabaseUnavailable } from '../src/database-errors.ts';
import { type Database, mayLackCommits, openDatabase } from '../src/database.ts';
import { advanceFeeds } from '../src/feeds/advance-feeds.ts';

describe('a server', () => {
  const KNOWN: ServerIdentity = {
    isStandby: false,
    knownSystem: '1',
    knownTimeline: 3,
    system: '1',
    timeline: 3,
    isRestored: false,
    keepCommits: false,
    hasStreamed: false,
  };
  const PROMOTED = { timeline: 4, hasStreamed: true };

  test.each<[string, Partial<ServerIdentity>, ReturnType<typeof judge>]>([
    ['that is the known one', {}, 'known'],
    ['that is a standby', { isStandby: true, timeline: null }, 'known'],
    ['that the database knows nothing of', { knownSystem: null, knownTimeline: null }, 'known'],
    ['whose rows are from a dump', { isRestored: true }, 'refused'],
    [
      'that was promoted with rows from a dump, if promotions keep commits',
      { ...PROMOTED, isRestored: true, keepCommits: true },
      'refused',
    ],
    ['that was promoted', PROMOTED, 'refused'],
    ['that was promoted, if promotions keep commits', { ...PROMOTED, keepCommits: true }, 'trusted'],
    [
      'that was restored from a backup, if promotions keep commits',
      { timeline: 4, keepCommits: true },
      'refused',
    ],
    ['of an earlier timeline', { timeline: 2 }, 'refused'],
    ['of another cluster', { system: '2' }, 'refused'],
    [
      'of another cluster, if promotions keep commits',
      { ...PROMOTED, system: '2', keepCommits: true },
      'refused',
    ],
  ])('%s', (_name, difference, verdict) => {
    expect(judge({ ...KNOWN, ...difference })).toBe(verdict);
  });
});

describe('a database whose server may lack commits', () => {
  let database: TestDatabase;
  const opened: Database[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => Promise.all(opened.splice(0).map((db) => db.$disconnect())));
  afterAll(() => database.drop());

  function open(usesAnyServer = false, url = database.url): Database {
    const options = { url, poolSize: 1, applicationName: 'test', statementTimeoutMs: 10_000 };
    const db = openDatabase({ ...options, usesAnyServer });
    opened.push(db);
    return db;
  }

  /** Returns why the database is refused. */
  async function expectRefusedUntilAdvanced(db: Database, url = database.url): Promise<string> {
    expect(await mayLackCommits(db)).toBe(true);
    const refused = await db.company.findMany().catch((error: unknown) => error);
    expect(String(refused)).toContain('the database was restored or has failed over');
    expect(isDatabaseUnavailable(refused)).toBe(true);
    await advanceFeeds(open(true, url));
    expect(await mayLackCommits(db)).toBe(false);
    expect(await db.company.findMany()).toEqual([]);
    return String(refused);
  }

  test.each([
    ['of another timeline', { timeline: 99 }],
    ['of another cluster', { systemIdentifier: '1' }],
    // The server of the tests has never received anything from another one.
    ['restored, although promotions keep commits', { timeline: 99, promotionsKeepCommits: true }],
  ])('%s is refused until the feeds have been advanced', async (_name, data) => {
    const db = open();
    expect(await mayLackCommits(db)).toBe(false);
    await database.db.databaseIdentity.updateMany({ data });
    await expectRefusedUntilAdvanced(db);
  });

  test('whose rows are from a dump is refused, in a new database and in place of the old rows', async () => {
    const [row] = await database.db.$queryRaw<{ dump: string }[]>`
      SELECT to_jsonb(known)::text AS dump FROM database_identity AS known`;
    const fresh = await createTestDatabase();
    try {
      for (const target of [fresh, database]) {
        const db = open(false, target.url);
        expect(await mayLackCommits(db)).toBe(false);
        // What a restore does to the row: it writes every column as it was.
        await target.db.$transaction([
          target.db.$executeRaw`TRUNCATE database_identity`,
          target.db.$executeRaw`
            INSERT INTO database_identity
            SELECT * FROM jsonb_populate_record(NULL::database_identity, ${row?.dump}::text::jsonb)`,
        ]);
        expect(await expectRefusedUntilAdvanced(db, target.url)).toContain('its rows are from a dump');
      }
    } finally {
      await Promise.all(opened.splice(0).map((db) => db.$disconnect()));
      await fresh.drop();
    }
  });

  test('lacks the newest migration, and is left to the check at the start of a process', async () => {
    const fresh = await createTestDatabase();
    try {
      await fresh.db.$executeRaw`ALTER TABLE database_identity DROP COLUMN written_by`;
      const db = open(false, fresh.url);
      expect(await mayLackCommits(db)).toBe(false);
      expect(await db.company.findMany()).toEqual([]);
    } finally {
      await Promise.all(opened.splice(0).map((db) => db.$disconnect()));
      await fresh.drop();
    }
  });

  test('stays known when it is vacuumed, rewritten, or told something by an operator', async () => {
    const db = open();
    const statements = [
      'VACUUM (FREEZE) database_identity',
      'VACUUM (FULL) database_identity',
      'CLUSTER database_identity USING database_identity_pkey',
      'UPDATE database_identity SET promotions_keep_commits = true',
      // So do psql with ON_ERROR_ROLLBACK, and a savepoint: the row is written by a subtransaction.
      `DO $$ BEGIN UPDATE database_identity SET promotions_keep_commits = true; EXCEPTION WHEN others THEN RAISE; END $$`,
    ];
    for (const statement of statements) {
      await database.db.$executeRawUnsafe(statement);
      expect([statement, await mayLackCommits(db)]).toEqual([statement, false]);
    }
    expect(await db.databaseIdentity.findMany({ select: { promotionsKeepCommits: true } })).toEqual([
      { promotionsKeepCommits: true },
    ]);
  });
});
