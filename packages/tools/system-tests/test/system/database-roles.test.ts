import { firstIdAt } from '@deal-signals/db/feeds/position';
import { Database } from '@deal-signals/db/database';
import { urlFor } from '@deal-signals/test-kit/databases/database-roles';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { startApp } from '@deal-signals/test-kit/processes';
import {
  createTestDatabase,
  TEST_LIMITS,
  type TestDatabase,
} from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { adminToken, request } from '../published-api.ts';

// The rights that docker/postgres-roles.sql and the migrations grant to the role of the apps. Every test that starts an app
// shows that they suffice, because `startApp` uses this role.

let database: TestDatabase;
/** A session of the role. */
let app: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = new Client({ connectionString: urlFor('signals_app', database.url) });
  await app.connect();
  await database.db.company.createMany({
    data: [
      { id: COMPANY + 1, name: 'Audited' },
      { id: COMPANY + 2, name: 'Unused' },
    ],
  });
});
afterAll(async () => {
  await app.end();
  await database.drop();
});

/** Returns the rows of a statement, as the superuser. */
const read = <Row>(statement: string) => database.db.$queryRawUnsafe<Row[]>(statement);

describe('the rights', () => {
  /** The rights of others than the owner: `role: RIGHT, RIGHT; …`. NULL stands for the defaults of a kind of object. */
  const rightsOf = (acl: string, kind: string, owner: string) => `(
    SELECT coalesce(string_agg(of, '; ' ORDER BY of), 'nothing') FROM (
      SELECT CASE grantee WHEN 0 THEN 'everybody' ELSE grantee::regrole::text END || ': ' ||
             string_agg(privilege_type || CASE WHEN is_grantable THEN ' and grant it' ELSE '' END, ', '
                        ORDER BY privilege_type) AS of
      FROM aclexplode(coalesce(${acl}, acldefault(${kind}, ${owner}))) WHERE grantee <> ${owner} GROUP BY grantee
    ) AS grants)`;

  /** Groups the names of objects by their rights, from a statement that selects both. */
  async function namesByRights(objects: string): Promise<Record<string, string[]>> {
    const rows = await read<{ rights: string; names: string[] }>(`
      SELECT rights, array_agg(name::text ORDER BY name) AS names FROM (${objects}) AS objects GROUP BY rights`);
    return Object.fromEntries(rows.map(({ rights, names }) => [rights, names]));
  }

  const words = (text: string) => text.trim().split(/\s+/);

  // A new table has to be added here, after a decision about the rights that the role needs.
  test('of every table and sequence', async () => {
    const kind = `CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char"`;
    const rights = await namesByRights(`
      SELECT relname AS name, ${rightsOf('relacl', kind, 'relowner')} AS rights
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')`);
    expect(rights).toEqual({
      'signals_app: SELECT': ['_applied_scripts', '_prisma_migrations'],
      'signals_app: INSERT, SELECT': ['audit_records'],
      'signals_app: INSERT, SELECT, UPDATE': words(`
        calls distributions documents rooms users webhook_endpoints`),
      'signals_app: DELETE, INSERT, SELECT, UPDATE': words(`
        action_items alert_channels alerts api_key_days api_keys attempt_counts companies deliveries dispatcher
        endpoint_rate_limits engagement_events engagement_views erasure_runs erasure_turns erasures
        esign_documents feed_clocks link_heatmaps messages pending_deliveries people room_document_openers
        room_document_opens room_members room_people room_readings room_totals room_watches search_names
        webhook_attempts webhook_deliveries webhook_delivery_subjects webhook_events workspace_queue`),
      'signals_app: USAGE': words(`
        alert_channels_id_seq api_keys_id_seq webhook_endpoints_id_seq workspace_queue_position_seq`),
    });
  });

  // Functions of extensions belong to PostgreSQL and are open to everyone.
  test('of every function', async () => {
    const rights = await namesByRights(`
      SELECT proname AS name, ${rightsOf('proacl', `'f'::"char"`, 'proowner')} AS rights
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')`);
    expect(rights).toEqual({
      'signals_app: EXECUTE': words(`
        calls_of capture_context completion_percent consume_rate_limit delivery_subjects distinct_time
        engaged_rooms enqueue_inserted_ready enqueue_updated_ready enqueue_workspace erase_in_audit_record
        erase_people erased_identity heatmap_bucket_seconds keep_plans links_of lock_rate_limit person_id
        person_id_of played rate_limit_open_since rebuild_room_roll_ups rebuild_search_names
        record_engagement record_links refresh_people remaining_rate_limit remove_old_audit_records
        replace_search_names roll_up_durations roll_up_events roll_up_heatmaps roll_up_links roll_up_messages
        roll_up_views search_name_of segments_ms subscribers_of take_back_links take_feed_clock text_subject
        traces_of_people wake_dispatchers with_steps`),
    });
  });

  test('of functions that run as their owner, and their search path', async () => {
    expect(
      await read(`
        SELECT proname AS name, proconfig AS settings FROM pg_proc
        WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY proname`),
    ).toEqual([
      { name: 'erase_in_audit_record', settings: ['search_path=public, pg_temp'] },
      { name: 'remove_old_audit_records', settings: ['search_path=public, pg_temp'] },
    ]);
  });

  test('of single columns, which no role has', async () => {
    expect(
      await read(
        'SELECT attname FROM pg_attribute WHERE attacl IS NOT NULL AND attnum > 0 AND attrelid >= 16384',
      ),
    ).toEqual([]);
  });

  test('of the schema, and the attributes of the role', async () => {
    expect(
      await read(`
        SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
               has_schema_privilege(rolname, 'public', 'CREATE') AS creates,
               (SELECT count(*)::int FROM pg_shdepend
                WHERE refclassid = 'pg_authid'::regclass AND refobjid = role.oid AND deptype = 'o') AS owned,
               (SELECT count(*)::int FROM pg_auth_members WHERE member = role.oid) AS memberships
        FROM pg_roles role
        WHERE rolname = 'signals_app'`),
    ).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolbypassrls: false,
        rolreplication: false,
        creates: false,
        owned: 0,
        memberships: 0,
      },
    ]);
    expect(
      await read(`SELECT ${rightsOf('nspacl', `'n'::"char"`, 'nspowner')} AS rights, nspowner::regrole::text AS owner
                  FROM pg_namespace WHERE nspname = 'public'`),
    ).toEqual([{ rights: 'signals_app: USAGE', owner: 'signals_owner' }]);
  });
});

test.each([
  ['change the schema', 'ALTER TABLE webhook_deliveries ADD COLUMN x int'],
  ['create a table', 'CREATE TABLE x (id int)'],
  ['switch off a trigger', 'ALTER TABLE pending_deliveries DISABLE TRIGGER ALL'],
  ['empty a table at once', 'TRUNCATE engagement_events CASCADE'],
  ['reset a sequence', "SELECT setval('api_keys_id_seq', 1)"],
  ['become the owner', 'SET ROLE signals_owner'],
  ['change audit records', 'UPDATE audit_records SET user_id = 1'],
  ['remove audit records', 'DELETE FROM audit_records'],
  ['rewrite the history of migrations', "UPDATE _prisma_migrations SET checksum = '0'"],
  [
    'add to the history of migrations',
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', '0', 'x')",
  ],
  ['remove from the history of migrations', 'DELETE FROM _prisma_migrations'],
  ['change the history of scripts', "UPDATE _applied_scripts SET checksum = '0'"],
  ['add to the history of scripts', "INSERT INTO _applied_scripts VALUES ('x.sql', '0', now())"],
  ['remove from the history of scripts', 'DELETE FROM _applied_scripts'],
  ['replace a function that runs as its owner', 'ALTER FUNCTION remove_old_audit_records RESET search_path'],
])('the role cannot %s', async (_, statement) => {
  // 42501 is insufficient_privilege.
  await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
});

describe('audit records', () => {
  const WORKSPACE = COMPANY + 1;
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const remove = (days: number | null) =>
    app.query('SELECT remove_old_audit_records($1, $2, 100) AS removed', [
      WORKSPACE,
      days === null ? null : firstIdAt(ago(days)),
    ]);
  const kept = async () =>
    (await read<{ objectId: string }>(`SELECT object_id AS "objectId" FROM audit_records ORDER BY at`)).map(
      ({ objectId }) => objectId,
    );

  beforeEach(async () => {
    await database.db.auditRecord.deleteMany();
    // Written as the role, which may add records.
    for (const days of [400, 31, 29, 0]) {
      await app.query(
        `INSERT INTO audit_records (company_id, id, at, action, object_type, object_id)
         VALUES ($1, $2, $3, 'webhook.created', 'webhook', $4)`,
        [WORKSPACE, firstIdAt(ago(days)), ago(days), String(days)],
      );
    }
  });

  test.each([
    [365, ['31', '29', '0']],
    [30, ['29', '0']],
    [1, ['29', '0']],
    [0, ['29', '0']],
    [-10_000, ['29', '0']],
    [null, ['400', '31', '29', '0']],
  ])('are removed when they are older than %j days, but never within 30', async (days, left) => {
    const { rows } = await remove(days);
    expect(await kept()).toEqual(left);
    expect(rows).toEqual([{ removed: days === null ? null : 4 - left.length }]);
  });

  test('are removed from the real table, even if the caller shadows it', async () => {
    await app.query('BEGIN');
    await app.query('CREATE TEMPORARY TABLE audit_records (LIKE public.audit_records) ON COMMIT DROP');
    await app.query('SET LOCAL search_path = pg_temp, public');
    await app.query('INSERT INTO pg_temp.audit_records SELECT * FROM public.audit_records');
    await app.query('SELECT public.remove_old_audit_records($1, $2, 100)', [WORKSPACE, firstIdAt(ago(30))]);
    expect((await app.query('SELECT FROM pg_temp.audit_records')).rowCount).toBe(4);
    await app.query('COMMIT');
    expect(await kept()).toEqual(['29', '0']);
  });

  test('can be redacted in parts during an erasure, but not rewritten', async () => {
    const [{ id }] = (await read<{ id: string }>(
      `SELECT id::text FROM audit_records ORDER BY id LIMIT 1`,
    )) as [{ id: string }];
    const before = { by: ['50%_\\ of Zoe Quist'], count: 1 };
    await database.db.$executeRaw`
      UPDATE audit_records SET details = ${JSON.stringify(before)}::jsonb WHERE id = ${BigInt(id)}`;
    const erase = (path: string[], ...pieces: string[]) =>
      app.query('SELECT erase_in_audit_record($1, $2, $3, $4)', [WORKSPACE, id, path, pieces]);
    const details = async () =>
      (await read<{ details: unknown }>(`SELECT details FROM audit_records WHERE id = ${id}`))[0]!.details;

    await erase(['by', '0'], '50%_\\ of ', '');
    expect(await details()).toEqual(before);
    await app.query(
      `INSERT INTO erasure_runs (company_id, id, kind, event_end, view_end, requested_at, stage)
       VALUES ($1, gen_random_uuid(), 'person', 1, 1, now(), 'auditRecords')`,
      [WORKSPACE],
    );
    await erase(['by', '0'], '50%_\\ of Ann');
    await erase(['by', '0'], '50%_\\ of ', 'Ann');
    await erase(['by', '0'], '50%_\\ of ');
    await erase(['by', '0'], ' of ', '50%', '');
    await erase(['by', '0'], '5012 of ', '');
    await erase(['by', '0'], '%', '');
    await erase(['by', '0']);
    await erase(['by', '1'], '', '');
    await erase(['count'], '', '');
    expect(await details()).toEqual(before);
    await erase(['by', '0'], '50%_\\ of ', '');
    expect(await details()).toEqual({ by: ['50%_\\ of [erased]'], count: 1 });
    await database.db.erasureRun.deleteMany();
  });

  test('stay with their workspace, whose id cannot change', async () => {
    // 23001 is restrict_violation.
    await expect(
      app.query('UPDATE companies SET id = id + 1000 WHERE id = $1', [WORKSPACE]),
    ).rejects.toMatchObject({ code: '23001', constraint: 'audit_records_company_id_fkey' });
    await expect(app.query('DELETE FROM companies WHERE id = $1', [WORKSPACE])).rejects.toMatchObject({
      code: '23001',
    });
  });
});

describe('with this role', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('capture, the API and the worker work, and old audit records are removed', async () => {
    const url = urlFor('signals_app', database.url);
    const db = new Database({ url, poolSize: 4, applicationName: 'test', ...TEST_LIMITS });
    try {
      await capture(
        db,
        { record: 'company', id: COMPANY, name: 'Acme' },
        { record: 'room', id: uuid(1), name: 'Globex' },
      );
      const old = { action: 'webhook.created', objectType: 'webhook', objectId: 'old' };
      await database.db.auditRecord.create({ data: { ...old, companyId: COMPANY, id: 0, at: new Date(0) } });
      const env = {
        DATABASE_URL: database.url,
        REDIS_URL: await createTestRedis(),
        DISPATCH_TICK_MS: '100',
        AUDIT_RETENTION_DAYS: '30',
      };
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
      await until('the change to be pushed', () =>
        receiver.requests.some(({ headers }) => headers['x-service-event'] === 'decision_room.updated'),
      );
      const { key } = (await admin('POST', '/api-keys', { name: 'reader' })).body;
      const rooms = await request(`${api.baseUrl}/decision-rooms`, key);
      expect(rooms.body.data).toMatchObject([{ id: uuid(1), dealValueCents: 100 }]);
      const disabled = await admin('PATCH', `/webhooks/${body.data.id}`, { enabled: false });
      expect(disabled.body.data).toMatchObject({ enabled: false });
      await until('the old audit record to be removed', async () => {
        const left = await database.db.auditRecord.findMany({ where: { companyId: COMPANY } });
        expect(left.length).toBeGreaterThanOrEqual(4);
        return left.every(({ objectId }) => objectId !== 'old');
      });
      const roles = await read(`
        SELECT DISTINCT application_name AS app, usename AS role FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'deal-signals-%' ORDER BY 1`);
      expect(roles).toEqual([
        { app: 'deal-signals-api', role: 'signals_app' },
        { app: 'deal-signals-worker', role: 'signals_app' },
      ]);
    } finally {
      await db.close();
    }
  });
});
