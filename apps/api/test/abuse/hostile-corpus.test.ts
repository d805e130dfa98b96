import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sample } from 'fast-check';
import { ALL_ROUTES, bytesOf, type HostileRequest, requestsTo } from '../http/server/hostile-requests.ts';
import { expectDecent, plantHostileWorld } from '../http/server/hostile-world.ts';
import { sendBytes } from '../http/server/raw-http.ts';
import { SESSION_SECRET } from '../test-api.ts';

// Sends requests from the generator of hostile-input.test.ts, in bulk, to a real process. None may end the process or corrupt its
// responses.

const BATCH = 500;
/** The number of batches. `.ci/run` has a time limit and sends fewer. */
const REQUESTS = BATCH * Math.ceil(Number(process.env['HOSTILE_REQUESTS'] ?? 100_000) / BATCH);
const AT_ONCE = 16;
const SEED = 20_261_122;
const PER_MINUTE = 1_000_000;
const TIMEOUT_MS = 1_500_000;

let database: TestDatabase;
let api: RunningApp;
let credentials: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  credentials = await plantHostileWorld(database.db);
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    RATE_LIMIT_PER_MINUTE: String(PER_MINUTE),
    SESSION_JWT_SECRET: SESSION_SECRET,
    // Requests are not logged at this level; errors of the server are.
    LOG_LEVEL: 'warn',
  });
});

afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** Sends requests, several at a time, and checks each response. Counts the responses by status. */
async function sendAll(requests: HostileRequest[], counts: Map<number, number>): Promise<void> {
  const port = Number(new URL(api.url).port);
  const queue = requests.values();
  const send = async () => {
    for (const request of queue) {
      const isHead = request.method === 'HEAD';
      const responses = await sendBytes(port, bytesOf(request, credentials), isHead);
      expect(responses).toHaveLength(1);
      for (const response of responses) {
        expectDecent(response, { isHead, perMinute: PER_MINUTE });
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
}

test(
  'very many hostile requests over all routes cause no 500, no foreign data and no restart',
  async () => {
    const { pid } = api;
    const counts = new Map<number, number>();
    for (let sent = 0; sent < REQUESTS; sent += BATCH) {
      const round = sent / BATCH;
      const route = ALL_ROUTES[round % ALL_ROUTES.length]!;
      await sendAll(sample(requestsTo(route), { seed: SEED + round, numRuns: BATCH }), counts);
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBe(REQUESTS);
    // Most requests pass the check of their credential.
    expect(counts.get(401)).toBeLessThan(REQUESTS / 3);
    process.stdout.write(
      `${total} hostile requests: ${[...counts.entries()]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')}\n`,
    );
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(api.output()).not.toMatch(/"level":"error"/);
    const where = { companyId: 2 };
    expect(await database.db.apiKey.count({ where: { ...where, revokedAt: null } })).toBe(2);
    expect(await database.db.webhookEndpoint.count({ where: { ...where, enabled: true } })).toBe(1);
    expect(await database.db.auditRecord.count({ where })).toBe(1);
  },
  TIMEOUT_MS,
);
