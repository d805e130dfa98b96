import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import {
  type ChangedObject,
  findChangedObjects,
  type WalkPosition,
} from '@deal-signals/serializers/events/changed-objects';
import { OBJECT_FEEDS, type ObjectKind } from '@deal-signals/serializers/events/events';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { until } from '@deal-signals/test-kit/until';
import type { ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminToken, request } from '../published-api.ts';
import { changeOfWeek } from './week-of-changes.ts';

const STEPS = 130;
/** The average number of steps between two changes of an endpoint's state. */
const OUTAGE_STEPS = 12;
const PARTLY = ['engagement.view.recorded', 'decision_room.updated'];

let database: TestDatabase;
let api: RunningApp;
let env: Record<string, string>;
let receiver: Receiver;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    DISPATCH_TICK_MS: '50',
    DISPATCH_BATCH: '5000',
    DISPATCH_ENDPOINT_LIMIT: '2000',
  };
  [api] = await Promise.all([startApp('api', env), startApp('worker', env)]);
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

/** Returns a workspace and the actions of its admin. */
function workspace(companyId: number) {
  const token = adminToken(companyId);
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await request(`${api.baseUrl}${path}`, token, { method, body });
    if (response.status > 299) throw new Error(JSON.stringify(response.body));
    return response.body;
  };
  const capture = (...records: ShortRecord[]) =>
    captureRecords(
      database.db,
      records.map((record) => captureRecord.parse({ companyId, ...record })),
    );
  const subscribe = async (events: string[]): Promise<number> => {
    // The path identifies the workspace to the receiver.
    const url = `${receiver.url}${companyId}/${events[0] === '*' ? 'all' : 'part'}`;
    return (await call('POST', '/webhooks', { url, events })).data.id;
  };
  const setEnabled = (id: number, enabled: boolean) => call('PATCH', `/webhooks/${id}`, { enabled });
  /** Calls until there is no more. Returns how many were queued. */
  const replayMissing = async (id: number, since: string): Promise<number> => {
    let sum = 0;
    for (let nextSince: string | undefined, hasMore = true; hasMore;) {
      const page = await call('POST', `/webhooks/${id}/replay-missing`, { since, nextSince });
      sum += page.count;
      hasMore = page.hasMore;
      nextSince = page.nextSince ?? undefined;
    }
    return sum;
  };
  /** Waits until all possible deliveries were sent and erasures are done. */
  const drain = () =>
    until(
      `workspace ${companyId} to be idle`,
      async () => {
        const [left] = await database.db.$queryRaw<[{ count: number }]>`
          SELECT (SELECT count(*) FROM erasure_runs WHERE company_id = ${companyId})::int
            + (SELECT count(*) FROM pending_deliveries WHERE company_id = ${companyId} AND next_attempt_at IS NOT NULL)::int AS count`;
        return left.count === 0;
      },
      { timeoutMs: 60_000 },
    );
  /** Returns the bodies that an endpoint was sent: the texts of each object, in order of arrival. */
  const received = (name: 'all' | 'part'): Map<string, string[]> => {
    const texts = new Map<string, string[]>();
    for (const { rawBody, path } of receiver.requests) {
      if (path !== `/${companyId}/${name}`) continue;
      const body = rawBody.toString();
      const { data } = JSON.parse(body);
      const object = data.document ?? data;
      const text = body.slice(body.indexOf(',"data":') + 8, -1);
      const id = String(object.id);
      texts.set(id, [...(texts.get(id) ?? []), text]);
    }
    return texts;
  };
  /** Returns what the feeds show of a kind: the texts by id. */
  const shown = async (kind: ObjectKind, key: string): Promise<Map<string, string>> => {
    const texts = new Map<string, string>();
    for (let query = '?limit=500', hasMore = true; hasMore;) {
      const { body } = await request(`${api.baseUrl}/${OBJECT_FEEDS[kind]}${query}`, key);
      for (const object of body.data) {
        const data = kind === 'esign' ? { buyerSpaceId: object.buyerSpaceId, document: object } : object;
        texts.set(String(object.id), JSON.stringify(data));
      }
      hasMore = body.hasMore;
      query = `?limit=500&cursor=${body.nextCursor}`;
    }
    return texts;
  };
  return { call, capture, subscribe, setEnabled, replayMissing, drain, received, shown };
}

async function begin(companyId: number) {
  const world = workspace(companyId);
  await world.capture({ record: 'company', id: companyId, name: 'Acme' });
  const { key } = await world.call('POST', '/api-keys', { name: 'reader' });
  const [{ now }] = await database.db.$queryRaw<[{ now: Date }]>`SELECT now()`;
  return { ...world, key: key as string, since: now.toISOString() };
}

/** Expects that each event was queued once for an endpoint, by whichever call. */
async function expectNoEventTwice(companyId: number): Promise<void> {
  const twice = await database.db.$queryRaw`
    SELECT endpoint_id, event_id FROM deliveries WHERE company_id = ${companyId}
    GROUP BY endpoint_id, event_id HAVING count(*) > 1`;
  expect(twice).toEqual([]);
}

/**
 * Expects that erasures rewrote the events that were queued before them, and that events that are queued later contain no
 * erased person.
 */
async function expectStoredAsShown(companyId: number): Promise<void> {
  const stored = await database.db.$queryRaw<{ body: string; text: string }[]>`
    SELECT e.body, coalesce(a.object_text, v.object_text) AS text FROM webhook_events e
    LEFT JOIN engagement_events a ON e.type = 'engagement.recorded'
      AND a.company_id = e.company_id AND a.id::text = e.body::json -> 'data' ->> 'id'
    LEFT JOIN engagement_views v ON e.type = 'engagement.view.recorded'
      AND v.company_id = e.company_id AND v.id::text = e.body::json -> 'data' ->> 'id'
    WHERE e.company_id = ${companyId} AND e.type IN ('engagement.recorded', 'engagement.view.recorded')`;
  expect(stored.length).toBeGreaterThan(0);
  for (const { body, text } of stored) expect(body.endsWith(`,"data":${text}}`)).toBe(true);
}

/** Walks the feeds in steps of several sizes. Each object is found once, even where many have the same time. */
async function expectWalkOfAnySize(companyId: number, since: Date): Promise<void> {
  const kinds = new Set(Object.keys(OBJECT_FEEDS) as ObjectKind[]);
  const walk = async (limit: number) => {
    const all: ChangedObject[] = [];
    for (let from: WalkPosition = { at: since, kind: null }; ; from = all.at(-1)!) {
      const found = await findChangedObjects(database.db, companyId, { kinds, from, until: null, limit });
      all.push(...found);
      if (found.length < limit) return all;
    }
  };
  const whole = await walk(100_000);
  expect(new Set(whole.map(({ kind }) => kind))).toEqual(kinds);
  for (const limit of [1, 2, 7]) expect(await walk(limit)).toEqual(whole);
}

test.each([1, 2, 3, 4])(
  'after outages, every object has reached the receiver in its last state (world %i)',
  async (seed) => {
    const companyId = 100 + seed;
    const random = randomNumbers(7_919 * seed);
    const world = await begin(companyId);
    const all = await world.subscribe(['*']);
    const part = await world.subscribe(PARTLY);
    const isUp = new Map([
      [all, true],
      [part, true],
    ]);
    let erasures = 0;
    for (let step = 0; step < STEPS; step += 1) {
      await world.capture(...changeOfWeek(step, random));
      for (const [id, up] of isUp) {
        if (random(OUTAGE_STEPS) > 0) continue;
        if (random(2) === 0) await world.drain();
        await world.setEnabled(id, !up);
        isUp.set(id, !up);
      }
      if (step % 30 === 29) {
        const erased: ShortRecord =
          random(2) === 0
            ? { record: 'eraseRoom', roomId: uuid(1_000 + random(Math.floor(step / 30) + 1)) }
            : { record: 'erasePerson', email: `b${random(4)}@globex.example` };
        // The address may not exist yet.
        erasures += await world.capture(erased).then(
          () => 1,
          () => 0,
        );
        // While the erasure is in progress.
        if (isUp.get(all) === true) await world.replayMissing(all, world.since);
      }
    }
    expect(erasures).toBeGreaterThan(0);
    for (const [id, up] of isUp) if (!up) await world.setEnabled(id, true);
    await world.drain();
    const before = { all: world.received('all'), part: world.received('part') };

    const { count } = await world.call('POST', `/webhooks/${all}/replay-missing`, {
      since: world.since,
      dryRun: true,
    });
    const counts = await Promise.all([
      world.replayMissing(all, world.since),
      world.replayMissing(all, world.since),
      world.replayMissing(part, world.since),
    ]);
    expect(counts[0] + counts[1]).toBe(count);
    expect(count).toBeGreaterThan(0);
    expect(counts[2]).toBeGreaterThan(0);
    await world.drain();

    for (const [name, kinds] of [
      ['all', Object.keys(OBJECT_FEEDS)],
      ['part', ['view', 'room']],
    ] as const) {
      const received = world.received(name);
      for (const kind of kinds as ObjectKind[]) {
        for (const [id, text] of await world.shown(kind, world.key)) {
          const texts = received.get(id) ?? [];
          // An erasure changes engagement that was already sent, in place. The consumer learns of that by the erasure.
          const isSent = (kind === 'event' || kind === 'view') && before[name].has(id);
          if (isSent) expect(texts).toHaveLength(1);
          else expect([kind, texts]).toEqual([kind, expect.arrayContaining([text])]);
        }
      }
    }
    await expectNoEventTwice(companyId);
    await expectStoredAsShown(companyId);
    await expectWalkOfAnySize(companyId, new Date(world.since));
    expect(await world.replayMissing(all, world.since)).toBe(0);
    expect(await world.replayMissing(part, world.since)).toBe(0);
  },
  240_000,
);

test('a call that is cut off can be repeated without missing or duplicate deliveries', async () => {
  const companyId = 200;
  const world = await begin(companyId);
  const id = await world.subscribe(['engagement.recorded', 'decision_room.updated']);
  await world.setEnabled(id, false);
  const link = uuid(9);
  await world.capture(
    { record: 'room', id: uuid(1), name: 'Globex' },
    { record: 'distribution', id: link, roomId: uuid(1), recipientName: 'Bob', recipientEmail: null },
  );
  for (let batch = 0; batch < 4; batch += 1) {
    await world.capture(
      ...Array.from({ length: 1_000 }, (_, n) => ({
        record: 'event' as const,
        key: `${batch} ${n}`,
        type: 'room_visit',
        occurredAt: '2026-09-01',
        distributionId: link,
      })),
    );
  }
  await world.setEnabled(id, true);
  const call = world.replayMissing(id, world.since).then(
    () => 'done',
    () => 'cut off',
  );
  const queued = async () =>
    (
      await database.db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM deliveries WHERE company_id = ${companyId}`
    )[0].count;
  await until('a part to be queued', async () => (await queued()) > 0);
  await api.kill9();
  expect(await call).toBe('cut off');
  const first = await queued();
  expect(first).toBeLessThan(4_001);
  api = await startApp('api', env);
  expect(await world.replayMissing(id, world.since)).toBe(4_001 - first);
  await world.drain();
  expect(world.received('part').size).toBe(4_001);
  await expectNoEventTwice(companyId);
}, 120_000);
