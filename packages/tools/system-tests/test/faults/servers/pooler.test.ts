import { randomBytes } from 'node:crypto';
import { Database } from '@deal-signals/db/database';
import { createSchemaWatch } from '@deal-signals/db/migrations/schema-watch';
import { untilDatabaseIsUsable } from '@deal-signals/db/start-up';
import { CAPTURE_ENV, captureUrlOf, sendRecords } from '@deal-signals/test-kit/capture-sender';
import { LINK } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { balance } from '../../../src/faults/ledger.ts';
import { PGBOUNCER, type Pooler, startPgbouncer } from '../../../src/faults/scene-pgbouncer.ts';
import { openScene, type Scene } from '../../../src/faults/scene.ts';

// A PgBouncer in transaction mode with its default settings has no session state and no prepared statements.

const EVENTS = 100;
const suffix = randomBytes(4).toString('hex');
const [APP, IMPATIENT] = [`pooled_${suffix}`, `impatient_${suffix}`];

let scene: Scene;
let pooler: Pooler;

beforeEach(async () => {
  if (PGBOUNCER === undefined) return;
  scene = await openScene();
  const password = randomBytes(8).toString('hex');
  const database = new URL(scene.databaseUrl).pathname.slice(1);
  for (const role of [APP, IMPATIENT]) {
    await scene.db.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD '${password}'`);
    // A pooler accepts the time zone of a client, but only in a form that the driver does not use.
    await scene.db.$executeRawUnsafe(`ALTER ROLE ${role} IN DATABASE ${database} SET timezone = 'UTC'`);
  }
  await scene.db.$executeRawUnsafe(`ALTER ROLE ${IMPATIENT} SET statement_timeout = '200ms'`);
  pooler = await startPgbouncer(scene.databaseUrl, { [APP]: password, [IMPATIENT]: password });
});

afterEach(async () => {
  if (PGBOUNCER === undefined) return;
  await pooler.stop();
  await scene.db.$executeRawUnsafe(`DROP OWNED BY ${APP}, ${IMPATIENT}`);
  await scene.db.$executeRawUnsafe(`DROP ROLE ${APP}, ${IMPATIENT}`);
  await scene.close();
});

/** Returns the reason why no process starts with a URL. */
async function refusalOf(url: string): Promise<string> {
  const db = new Database({ url, poolSize: 1, applicationName: 'test', statementTimeoutMs: 10_000 });
  try {
    await untilDatabaseIsUsable(db, {
      check: async () => {},
      schema: createSchemaWatch(),
      onWaiting: () => {},
      signal: AbortSignal.timeout(30_000),
    });
    return '';
  } catch (error) {
    return String(error);
  } finally {
    await db.close();
  }
}

const title = 'the API and a worker run through PgBouncer, once its role has the settings of a session';
(PGBOUNCER === undefined ? test.skip : test)(
  PGBOUNCER === undefined ? `${title} (skipped: pgbouncer is not installed)` : title,
  async () => {
    const { db, receiver } = scene;
    const plain = pooler.urlFor(APP);
    const url = `${plain}?pgbouncer=true`;
    expect(await refusalOf(plain)).toContain(
      'DATABASE_URL: it leads to PgBouncer, which rejects the settings of our sessions: add pgbouncer=true',
    );
    const refusal = await refusalOf(url);
    expect(refusal).toContain('the session has no statement_timeout, lock_timeout, idle_in_transaction');
    // The suggestion of the message fixes the problem once the pooler has reconnected.
    for (const [statement] of refusal.matchAll(/ALTER ROLE [^;]+/g)) await db.$executeRawUnsafe(statement);
    await db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${APP} AND pid <> pg_backend_pid()`;

    const api = await scene.startApi({ ...CAPTURE_ENV, DATABASE_URL: url });
    await scene.startWorker({ DATABASE_URL: url });
    const lines = Array.from({ length: EVENTS }, (_, n) =>
      JSON.stringify({
        record: 'event',
        companyId: COMPANY,
        key: `key-${n}`,
        type: 'room_visit',
        occurredAt: '2026-09-01',
        distributionId: LINK,
      }),
    );
    const { lines: results } = await sendRecords(await captureUrlOf(api), lines.join('\n'));
    expect(results.at(-1)).toMatchObject({ done: true, captured: EVENTS });
    await receiver.untilArrived(EVENTS);

    const key = await addKey(db, COMPANY);
    const pages = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const headers = { authorization: `Bearer ${key}` };
        const response = await fetch(`${api.baseUrl}/engagement/events?limit=500`, { headers });
        return ((await response.json()) as { data: unknown[] }).data.length;
      }),
    );
    expect(new Set(pages)).toEqual(new Set([EVENTS]));
    const row = await balance(scene, {
      name: 'PgBouncer in transaction mode before PostgreSQL',
      expected: EVENTS,
      allowed: 0,
    });
    expect(row).toMatchObject({ lost: 0, delivered: EVENTS, duplicates: 0, exitCodes: [0] });
    expect(await api.stop('SIGTERM')).toBe(0);
    expect(api.output()).not.toContain('"level":"error"');

    // The limit of the role applies to each statement, long before the process itself stops waiting.
    const impatient = new Database({
      url: `${pooler.urlFor(IMPATIENT)}?pgbouncer=true`,
      poolSize: 1,
      applicationName: 'test',
      statementTimeoutMs: 60_000,
    });
    await expect(impatient.$queryRaw`SELECT pg_sleep(${600}::int)`).rejects.toThrow('statement timeout');
    await impatient.close();
  },
);
