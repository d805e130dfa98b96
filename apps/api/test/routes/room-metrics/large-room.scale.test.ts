import { buildRoomMetrics } from '@deal-signals/serializers/room-metrics/build';
import { findRoomMetrics } from '@deal-signals/serializers/room-metrics/rows';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import { addCompany, addKey, addRoom } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openTestApi, type TestApi } from '../../test-api.ts';
import { explain, recordQueries } from '../query-plans/query-plan.ts';

const LOAD_TIMEOUT_MS = 900_000;
const TIMEOUT_MS = 120_000;
const EVENTS = 200_000;
const VIEWS = 100_000;
/** Each person has one link. */
const PEOPLE = 2_000;
const RECORDINGS = 20;
const BUSY_ROOM = uuid(1);
/** Half of the views came through this link. */
const BUSY_LINK = uuid(1);
/** A room with one link for each person and ten thousand recordings, without any activity. */
const CROWDED_ROOM = uuid(2);
const CROWD = 130_000;
const SHARED = 10_000;

let api: TestApi;
let key: string;
let client: Client;

beforeAll(async () => {
  api = await openTestApi();
  await addCompany(api.db);
  await addRoom(api.db, COMPANY, 1);
  await addRoom(api.db, COMPANY, 2);
  key = await addKey(api.db);
  client = new Client({ connectionString: api.database.url, options: '-c timezone=UTC' });
  await client.connect();
  await client.query(`
    CREATE FUNCTION pg_temp.uuid_of(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
      RETURN ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid;
    INSERT INTO calls (company_id, id, kind, status, occurred_at, updated_at, owner_id, duration_seconds, object_text)
    SELECT 1, pg_temp.uuid_of(n), 'demo', 'completed', now(), now(), 1, 1800, '{}' FROM generate_series(1, ${SHARED}) n;
    INSERT INTO documents (company_id, id, room_id, title, category, updated_at)
    SELECT 1, pg_temp.uuid_of(n), '${BUSY_ROOM}', 'Document ' || n, 'c', now() FROM generate_series(1, 20) n;
    INSERT INTO distributions (company_id, id, room_id, call_id, identity, recipient_name, recipient_email, updated_at)
    SELECT 1, pg_temp.uuid_of(n), '${BUSY_ROOM}', pg_temp.uuid_of(n % ${RECORDINGS} + 1), 'email:' || n || '@example.org', 'P' || n,
           n || '@example.org', now()
    FROM generate_series(1, ${PEOPLE}) n;
    INSERT INTO distributions (company_id, id, room_id, call_id, identity, recipient_email, updated_at)
    SELECT 1, pg_temp.uuid_of(1000000 + n), '${CROWDED_ROOM}', pg_temp.uuid_of(n % ${SHARED} + 1), 'email:' || n || '@example.org',
           n || '@example.org', now()
    FROM generate_series(1, ${CROWD}) n;
    INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, identity, actor_email, distribution_id,
                                   buyer_space_id, doc_id, object_text)
    SELECT 1, n, 'event', n, (ARRAY['trailer_view', 'doc_open', 'room_visit', 'comment'])[n % 4 + 1],
           now() - n * interval '1 second', 'email:' || p || '@example.org', p || '@example.org', pg_temp.uuid_of(p), '${BUSY_ROOM}',
           CASE WHEN n % 4 = 1 THEN pg_temp.uuid_of(n / 4 % 20 + 1) END, '{}'
    FROM (SELECT n, n % ${PEOPLE} + 1 AS p FROM generate_series(1, ${EVENTS}) n) AS e;
    INSERT INTO engagement_views (company_id, id, key, kind, started_at, ended_at, identity, actor_email, distribution_id, demo_id,
                                  buyer_space_id, watch_seconds, segments, object_text)
    SELECT 1, n, n, 'trailer', now(), now(), 'email:' || p || '@example.org', p || '@example.org', pg_temp.uuid_of(p),
           pg_temp.uuid_of(p % ${RECORDINGS} + 1), '${BUSY_ROOM}', 50, jsonb_build_array(jsonb_build_array(s, s + 30), jsonb_build_array(s + 10, s + 30)), '{}'
    FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 1 ELSE n % ${PEOPLE} + 1 END AS p, n * 7919 % 1700 AS s
          FROM generate_series(1, ${VIEWS}) n) AS v`);
  await rollUp(api.db);
  // Without the option, VACUUM leaves a few dead entries in an index, and a bitmap scan counts them as read.
  await client.query('VACUUM (ANALYZE, INDEX_CLEANUP ON)');
}, LOAD_TIMEOUT_MS);

afterAll(async () => {
  await client.end();
  await api.close();
});

test.each([
  // Each statement reads the two rows of a person and their link, which a bitmap scan counts twice. In the order of an index,
  // each of these rows and the second reading of the links takes a page, and the lookup of a recording takes three for half of
  // the people.
  [`/decision-rooms/${BUSY_ROOM}/metrics`, 5 * PEOPLE, 6 * PEOPLE],
  [`/distributions/${BUSY_LINK}/heatmap`, 10, 40],
])(
  'GET %s reads none of 300,000 events and views',
  async (path, rows, buffers) => {
    let status = 0;
    const statements = await recordQueries(async () => {
      ({ status } = await api.get(path, key));
    });
    expect(status).toBe(200);
    expect(statements.length).toBeGreaterThan(1);
    for (const statement of statements) {
      const plan = await explain(client, statement);
      expect(plan.text).not.toMatch(/engagement_(events|views)/);
      const isBounded = plan.rowsRead <= rows && plan.buffers <= buffers;
      expect(isBounded ? [] : [plan.rowsRead, plan.buffers, plan.text]).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

test(
  'the numbers of a busy room and link are complete',
  async () => {
    const { body } = await api.get(`/decision-rooms/${BUSY_ROOM}/metrics`, key);
    expect(body.data.totals).toMatchObject({
      events: EVENTS,
      trailerViews: EVENTS / 4,
      watchSeconds: 50 * VIEWS,
      docsOpened: 20,
      engagedPeople: PEOPLE,
    });
    expect(body.data.stakeholders).toHaveLength(PEOPLE);
    const heatmap = await api.get(`/distributions/${BUSY_LINK}/heatmap`, key);
    expect(heatmap.body.data).toMatchObject({ views: VIEWS / 2 });
  },
  TIMEOUT_MS,
);

test(
  'a room with 130,000 links to 10,000 recordings has metrics, and lets other requests run while they are built',
  async () => {
    const { status, body } = await api.get(`/decision-rooms/${CROWDED_ROOM}/metrics`, key);
    expect(status).toBe(200);
    expect(body.data.totals.silentPeople).toBe(CROWD);
    expect(body.data.trailers).toHaveLength(SHARED);
    const recipients = body.data.trailers.map((trailer: { recipients: number }) => trailer.recipients);
    expect(new Set(recipients)).toEqual(new Set([CROWD / SHARED]));

    const rows = await findRoomMetrics(api.db, COMPANY, CROWDED_ROOM, new Date());
    if (rows === null) throw new Error('no such room');
    let turns = 0;
    let built = false;
    const count = () => {
      turns += 1;
      if (!built) setImmediate(count);
    };
    setImmediate(count);
    await buildRoomMetrics(rows, new Date());
    built = true;
    expect(turns).toBeGreaterThan(CROWD / 1_000);
  },
  TIMEOUT_MS,
);
