import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { migrate } from '@deal-signals/db/migrations/migrate';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { onFreePort } from '@deal-signals/local-stack/servers/ports';
import { type PostgresServer, startPostgres } from '@deal-signals/local-stack/servers/postgres';
import { CAPTURE_ENV, captureUrlOf, sendRecords } from '@deal-signals/test-kit/capture-sender';
import { grantToRoles, urlFor } from '@deal-signals/test-kit/databases/database-roles';
import { startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { startApp } from '@deal-signals/test-kit/processes';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { findPostgres } from '../../src/postgres-versions.ts';
import { adminToken, createKey, request } from '../published-api.ts';

/** The program of the version that Debian 12 has. */
const PG_DUMP = '/usr/lib/postgresql/15/bin/pg_dump';

// Managed PostgreSQL has no superuser for its customers, but a role that may create roles and databases. The roles that it
// creates with docker/postgres-roles.sql suffice for everything that runs, on the oldest and the newest version, and on either
// side of PostgreSQL 16, which restricted CREATEROLE to roles that it has created itself.

const ADMIN = { name: 'managed_admin', password: randomBytes(8).toString('hex') };
const FIRST = { signals_owner: "own'er@1", signals_app: 'app/%1' };
const NEXT = { signals_owner: "own'er@2", signals_app: 'app/%2' };
const ROOM = uuid(1);
const HAS_PSQL = /\d+/.exec(spawnSync('psql', ['--version'], { encoding: 'utf8' }).stdout ?? '');

let server: PostgresServer | undefined;
afterEach(() => server?.stop());

async function onDatabase<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs docker/postgres-roles.sql, with psql if it is installed and can read the environment. */
async function createRoles(url: string, passwords: typeof FIRST): Promise<void> {
  if (Number(HAS_PSQL?.[0] ?? 0) < 15) return onDatabase(url, (client) => grantToRoles(client, passwords));
  const file = path.join(REPOSITORY_ROOT, 'docker/postgres-roles.sql');
  const { stderr, status } = spawnSync(
    'psql',
    ['--quiet', '--no-psqlrc', `--dbname=${url}`, `--file=${file}`],
    {
      env: { ...process.env, OWNER_PASSWORD: passwords.signals_owner, APP_PASSWORD: passwords.signals_app },
      encoding: 'utf8',
    },
  );
  expect([stderr, status]).toEqual(['', 0]);
}

/** Starts a database that was created by a role that may create roles, but is not a superuser. Returns its URL. */
async function startManaged(postgres: PostgresServer): Promise<string> {
  await onDatabase(postgres.url('postgres'), async (client) => {
    await client.query(`CREATE ROLE ${ADMIN.name} LOGIN CREATEROLE CREATEDB PASSWORD '${ADMIN.password}'`);
  });
  const asAdmin = (database: string) =>
    Object.assign(new URL(postgres.url(database)), { username: ADMIN.name, password: ADMIN.password }).href;
  await onDatabase(asAdmin('postgres'), (client) => client.query('CREATE DATABASE deal_signals'));
  return asAdmin('deal_signals');
}

describe.each([15, 16, 18] as const)('PostgreSQL %i', (major) => {
  // Version 18 is the platform package of the workspace.
  const found = major === 18 ? { programs: undefined } : findPostgres(major);
  const run = 'missing' in found ? test.skip : test;
  const title =
    'a role that is not a superuser creates the roles, one of which migrates, and the other runs the API and the worker';

  run('missing' in found ? `${title} (NOT RUN: ${found.missing})` : title, async () => {
    const dataDir = path.join(currentTestRun().folder, 'servers', `managed-${major}`, 'postgres');
    server = await onFreePort(0, (port) =>
      startPostgres({ dataDir, port, ...('programs' in found && found) }),
    );
    const url = await startManaged(server);
    await createRoles(url, FIRST);
    await migrate(urlFor('signals_owner', url, FIRST));
    // Again with other passwords, after the tables exist.
    await createRoles(url, NEXT);
    await expect(onDatabase(urlFor('signals_owner', url, FIRST), async () => {})).rejects.toThrow('password');
    expect(await migrate(urlFor('signals_owner', url, NEXT))).toEqual([]);
    const [version] = await onDatabase(
      url,
      async (client) => (await client.query('SHOW server_version')).rows,
    );
    expect(version.server_version).toMatch(new RegExp(`^${major}\\.`));

    const env = {
      DATABASE_URL: urlFor('signals_app', url, NEXT),
      REDIS_URL: await createTestRedis(),
      DISPATCH_TICK_MS: '100',
    };
    // A second role, so that passwords can be changed without downtime.
    const second = await onDatabase(url, async (client) => {
      await client.query("CREATE ROLE signals_app_b LOGIN PASSWORD 'b' IN ROLE signals_app");
      return Object.assign(new URL(url), { username: 'signals_app_b', password: 'b' }).href;
    });
    const [api] = await Promise.all([
      startApp('api', { ...env, ...CAPTURE_ENV }),
      startApp('worker', { ...env, DATABASE_URL: second }),
    ]);
    const captureUrl = await captureUrlOf(api);
    const capture = async (...records: object[]) => {
      const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      const { lines } = await sendRecords(captureUrl, text);
      expect(lines.filter(({ errors }) => errors !== undefined)).toEqual([]);
      expect(lines.at(-1)).toMatchObject({ done: true, captured: records.length });
    };
    await capture(
      { record: 'company', id: COMPANY, name: 'Acme' },
      { record: 'room', companyId: COMPANY, id: ROOM, name: 'Globex' },
    );
    const receiver = await startReceiver();
    const endpoint = { url: receiver.url, events: ['*'] };
    await request(`${api.baseUrl}/webhooks`, adminToken(), { method: 'POST', body: endpoint });
    await capture({ record: 'room', companyId: COMPANY, id: ROOM, name: 'Globex', status: 'won' });
    const [delivered] = await receiver.waitFor(1);
    const rooms = await request(`${api.baseUrl}/decision-rooms`, await createKey(api.baseUrl));
    expect(rooms.body.data).toMatchObject([{ id: ROOM, status: 'won' }]);
    expect(JSON.parse(delivered!.rawBody.toString())).toMatchObject({ data: rooms.body.data[0] });
    await receiver.close();
  });
});

const DUMP_TITLE = 'a dump restored as the page describes gives the roles the same rights';
(existsSync(PG_DUMP) ? test : test.skip)(
  existsSync(PG_DUMP) ? DUMP_TITLE : `${DUMP_TITLE} (NOT RUN: pg_dump 15 is not installed)`,
  async () => {
    const found = findPostgres(15);
    if ('missing' in found) throw new Error(found.missing);
    const dataDir = path.join(currentTestRun().folder, 'servers', 'dumped', 'postgres');
    server = await onFreePort(0, (port) => startPostgres({ dataDir, port, ...found }));
    const url = await startManaged(server);
    await createRoles(url, FIRST);
    await migrate(urlFor('signals_owner', url, FIRST));
    const restored = Object.assign(new URL(url), { pathname: '/restored' }).href;
    await onDatabase(url, (client) => client.query('CREATE DATABASE restored'));

    const file = path.join(dataDir, 'deal_signals.dump');
    const runTool = (program: string, ...args: string[]) => {
      const { stderr, status } = spawnSync(program, args, { encoding: 'utf8' });
      expect([program, stderr, status]).toEqual([program, '', 0]);
    };
    runTool(PG_DUMP, '--format=custom', `--file=${file}`, url);
    await createRoles(restored, FIRST);
    const target = [`--dbname=${restored}`, '--no-owner', '--role=signals_owner', '--exit-on-error'];
    runTool(path.join(path.dirname(PG_DUMP), 'pg_restore'), ...target, file);
    const rights = readFileSync(path.join(REPOSITORY_ROOT, 'prisma/sql/rights.sql'), 'utf8');
    await onDatabase(urlFor('signals_owner', restored, FIRST), (client) => client.query(rights));

    expect(await rightsIn(restored)).toEqual(await rightsIn(url));
    expect(await migrate(urlFor('signals_owner', restored, FIRST))).toEqual([]);
  },
);

/** Returns the owners and the rights of all tables, sequences, views and functions. */
async function rightsIn(url: string): Promise<unknown[]> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query(`
      SELECT relname AS name, relowner::regrole AS owner, relacl::text AS rights FROM pg_class
      WHERE relnamespace = 'public'::regnamespace
      UNION ALL
      SELECT oid::regprocedure::text, proowner::regrole, proacl::text FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace
      UNION ALL
      SELECT nspname, nspowner::regrole, nspacl::text FROM pg_namespace WHERE nspname = 'public'
      ORDER BY name`);
    return rows;
  });
}
