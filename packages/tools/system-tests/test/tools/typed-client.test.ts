import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { seedDemo } from '@deal-signals/demo/quarter/seed';
import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { type RunningApp, startApp, TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const run = promisify(execFile);
const PACKAGE = path.resolve(import.meta.dirname, '../..');
const CLIENT = path.join(PACKAGE, 'typed-client');
const GENERATED = path.join(CLIENT, 'generated');
const TIMEOUT_MS = 600_000;

let database: TestDatabase;
let api: RunningApp;
let companyId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const [company] = await seedDemo(database.db, () => undefined);
  companyId = company?.id ?? 0;
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
  });
}, TIMEOUT_MS);

afterAll(() => database.drop());

/** Returns the ids of a table's rows, in the order of its feed. */
async function idsOf(table: string, order: string): Promise<string[]> {
  const rows = await database.db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id::text FROM ${table} WHERE company_id = ${companyId} ORDER BY ${order}`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the path of a program of this package's own dependencies. */
const program = (name: string): string => path.join(PACKAGE, 'node_modules', '.bin', name);

test(
  'a client generated from the published description compiles and reads all feeds to their end',
  async () => {
    await rm(GENERATED, { recursive: true, force: true });
    await mkdir(GENERATED);
    const document = path.join(GENERATED, 'openapi.json');
    await writeFile(document, await (await fetch(`${api.baseUrl}/openapi.json`)).text());
    await run(program('openapi-typescript'), [document, '--output', path.join(GENERATED, 'api.ts')]);
    await run(program('tsc'), ['-p', CLIENT]);

    const token = signSessionToken(
      { userId: 1, companyId, permissions: ['integrations.crm'], ttlSeconds: 600 },
      TEST_SECRETS.SESSION_JWT_SECRET,
    );
    const response = await fetch(`${api.baseUrl}/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: 'typed client' }),
    });
    const { key } = (await response.json()) as { key: string };
    const { stdout } = await run(
      process.execPath,
      [path.join(GENERATED, 'dist', 'walk-feeds.js'), api.baseUrl, key],
      { maxBuffer: 10_000_000 },
    );
    expect(JSON.parse(stdout)).toEqual({
      calls: await idsOf('calls', 'updated_at, id'),
      rooms: await idsOf('rooms', 'last_activity_at, id'),
      events: await idsOf('engagement_events', 'id'),
      views: await idsOf('engagement_views', 'id'),
      people: await idsOf('people', 'updated_at, id'),
      documents: await idsOf('documents', 'updated_at, id'),
      contracts: await idsOf('esign_documents', 'updated_at, id'),
      links: await idsOf('distributions', 'updated_at, id'),
      deliveries: await idsOf('webhook_deliveries', 'id'),
      score: expect.any(Number),
      unknown: 'NOT_FOUND',
    });
  },
  TIMEOUT_MS,
);
