import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@deal-signals/db/database';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/https-receiver';
import { startApp } from '@deal-signals/test-kit/processes';
import { TEST_LIMITS } from '@deal-signals/test-kit/test-database';
import { createTestRedis } from '@deal-signals/test-kit/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { adminToken, request } from '../published-api.ts';

// docker/postgres-roles.sql, which compose runs: the apps must be able to work with a role that can do little.

const DATABASE = 'test_database_roles';
const ROLES = ['signals_app', 'signals_owner'];
const PASSWORDS = { owner_password: "own'er", app_password: 'app' };

const { postgresUrl } = currentTestRun();

/** Runs a function with a connection to a database of the test server. */
async function onDatabase<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function urlOf(user?: string, password?: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${DATABASE}`;
  if (user !== undefined)
    Object.assign(url, { username: user, password: encodeURIComponent(password ?? '') });
  return url.href;
}

const appUrl = urlOf('signals_app', PASSWORDS.app_password);

/** The statements of the script, as psql would send them. */
function rolesScript(client: Client): string {
  const script = readFileSync(path.join(REPOSITORY_ROOT, 'docker/postgres-roles.sql'), 'utf8');
  return script
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/:'(\w+)'/g, (_, name: keyof typeof PASSWORDS) => client.escapeLiteral(PASSWORDS[name]));
}

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  await onDatabase(postgresUrl, (client) => client.query(`CREATE DATABASE ${DATABASE}`));
  await onDatabase(urlOf(), (client) => client.query(rolesScript(client)));
  await migrate(urlOf('signals_owner', PASSWORDS.owner_password));
});

afterAll(async () => {
  await receiver.close();
  await onDatabase(postgresUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    for (const role of ROLES) await client.query(`DROP ROLE IF EXISTS ${role}`);
  });
});

test('capture, the API and the worker do all their work with a role that owns nothing', async () => {
  const db = openDatabase({ url: appUrl, poolSize: 4, applicationName: 'test', ...TEST_LIMITS });
  try {
    await capture(
      db,
      { record: 'company', id: COMPANY, name: 'Acme' },
      { record: 'room', id: uuid(1), name: 'Globex' },
    );
    const env = { DATABASE_URL: appUrl, REDIS_URL: await createTestRedis(), DISPATCH_TICK_MS: '100' };
    const [api] = await Promise.all([startApp('api', env), startApp('worker', env)]);
    const admin = (method: string, location: string, body?: unknown) =>
      request(`${api.baseUrl}${location}`, adminToken(), { method, body });
    const { body } = await admin('POST', '/webhooks', {
      url: receiver.url,
      events: ['decision_room.updated'],
    });
    expect((await admin('POST', `/webhooks/${body.data.id}/ping`)).body.data).toMatchObject({
      status: 'delivered',
    });
    await capture(db, { record: 'room', id: uuid(1), name: 'Globex', dealValueCents: 100 });
    await until('the change was pushed', () =>
      receiver.requests.some(({ headers }) => headers['x-service-event'] === 'decision_room.updated'),
    );
    const { key } = (await admin('POST', '/api-keys', { name: 'reader' })).body;
    const rooms = await request(`${api.baseUrl}/decision-rooms`, key);
    expect(rooms.body.data).toMatchObject([{ id: uuid(1), dealValueCents: 100 }]);
    const disabled = await admin('PATCH', `/webhooks/${body.data.id}`, { enabled: false });
    expect(disabled.body.data).toMatchObject({ enabled: false });
  } finally {
    await db.$disconnect();
  }
});

test('that role is no superuser and owns nothing', async () => {
  const { rows } = await onDatabase(urlOf(), (client) =>
    client.query(`
      SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,
             (SELECT count(*)::int FROM pg_shdepend
              WHERE refclassid = 'pg_authid'::regclass AND refobjid = role.oid AND deptype = 'o') AS owned
      FROM pg_roles role
      WHERE rolname = 'signals_app'`),
  );
  expect(rows).toEqual([
    { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, owned: 0 },
  ]);
});

test.each([
  ['change the schema', 'ALTER TABLE webhook_deliveries ADD COLUMN x int'],
  ['create a table', 'CREATE TABLE x (id int)'],
  ['switch off a trigger', 'ALTER TABLE webhook_deliveries DISABLE TRIGGER ALL'],
  ['empty a table at once', 'TRUNCATE engagement_events CASCADE'],
  ['set a feed back', "SELECT setval('engagement_events_id_seq', 1)"],
  ['become the owner', 'SET ROLE signals_owner'],
])('that role cannot %s', async (_, statement) => {
  await onDatabase(appUrl, async (client) => {
    // 42501 is insufficient_privilege.
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
