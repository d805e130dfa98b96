import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../src/database.ts';
import { assertSession } from '../src/start-up.ts';
import { migrate } from '../src/migrations/migrate.ts';

describe('database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const open = (url: string, statementTimeoutMs = 10_000) =>
    new Database({ url, poolSize: 1, applicationName: 'test', statementTimeoutMs });

  test('sessions use UTC, read committed and durable commits', async () => {
    await expect(assertSession(database.db)).resolves.toBeUndefined();
  });

  test('sessions do not compile statements, which would take longer than executing them', async () => {
    const [row] = await database.db.$queryRaw<{ jit: string }[]>`SELECT current_setting('jit') AS jit`;
    expect(row?.jit).toBe('off');
  });

  test('rejects a URL that sets another time zone, because that would shift every timestamp', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c timezone=America/New_York');
    const db = open(url.href);
    await expect(assertSession(db)).rejects.toThrow(
      'the session time zone must be UTC, not America/New_York',
    );
    await db.close();
  });

  test('cancels a statement that takes too long', async () => {
    const db = open(database.url, 1_000);
    await expect(db.$queryRaw`SELECT pg_sleep(5)::text`).rejects.toThrow(/statement timeout/);
    await db.close();
  });

  test('a transaction whose process hangs loses its locks after a while', async () => {
    const [row] = await database.db.$queryRaw<{ timeout: string }[]>`
      SELECT current_setting('idle_in_transaction_session_timeout') AS timeout`;
    expect(row?.timeout).toBe('15s');
  });

  test('migrating again applies nothing', async () => {
    expect(await migrate(database.url)).toEqual([]);
  });

  test('the generated client and the migrations agree on every table', async () => {
    const { db } = database;
    const reads = [
      db.company.findMany(),
      db.erasure.findMany(),
      db.erasureRun.findMany(),
      db.feedClock.findMany(),
      db.user.findMany(),
      db.apiKey.findMany(),
      db.apiKeyDay.findMany(),
      db.room.findMany(),
      db.roomMember.findMany(),
      db.call.findMany(),
      db.distribution.findMany(),
      db.document.findMany(),
      db.engagementEvent.findMany(),
      db.engagementView.findMany(),
      db.actionItem.findMany(),
      db.message.findMany(),
      db.esignDocument.findMany(),
      db.roomTotals.findMany(),
      db.roomPerson.findMany(),
      db.person.findMany(),
      db.searchName.findMany(),
      db.roomWatch.findMany(),
      db.roomReading.findMany(),
      db.roomDocumentOpens.findMany(),
      db.roomDocumentOpener.findMany(),
      db.linkHeatmap.findMany(),
      db.webhookEndpoint.findMany(),
      db.endpointRateLimit.findMany(),
      db.alertChannel.findMany(),
      db.alert.findMany(),
      db.webhookEvent.findMany(),
      db.pendingDelivery.findMany(),
      db.webhookDelivery.findMany(),
      db.webhookDeliverySubject.findMany(),
      db.webhookAttempt.findMany(),
      db.attemptCount.findMany(),
      db.queuedWorkspace.findMany(),
      db.dispatcher.findMany(),
      db.auditRecord.findMany(),
      db.erasureTurn.findMany(),
    ];
    expect((await Promise.all(reads)).every((rows) => rows.length === 0)).toBe(true);
    const [{ count } = { count: 0n }] = await db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND left(tablename, 1) <> '_'`;
    expect(Number(count)).toBe(reads.length);
  });

  test('every key begins with the workspace, and every reference names it, except those that ARCHITECTURE.md explains', async () => {
    const { db } = database;
    const keys = await db.$queryRaw<{ key: string }[]>`
      SELECT indexrelid::regclass || ' (' || attname || ')' AS key
      FROM pg_index
      JOIN pg_class AS class ON class.oid = indrelid AND relnamespace = 'public'::regnamespace
      JOIN pg_attribute ON attrelid = indexrelid AND attnum = 1
      WHERE indisunique AND attname <> 'company_id' AND left(relname, 1) <> '_'
      ORDER BY 1`;
    expect(keys.map(({ key }) => key)).toEqual([
      'api_keys_key_hash_key (key_hash)',
      'companies_pkey (id)',
      'dispatcher_pkey (id)',
      'workspace_queue_pkey (position)',
    ]);
    const references = await db.$queryRaw<{ name: string }[]>`
      SELECT conname AS name FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace
        AND pg_get_constraintdef(oid) NOT LIKE 'FOREIGN KEY (company_id%'`;
    expect(references).toEqual([]);
  });
});
