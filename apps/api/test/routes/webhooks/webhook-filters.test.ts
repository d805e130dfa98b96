import { findFilterProblem } from '@deal-signals/outbox/filter/filter-problem';
import { capture, CALL, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { addDeliveries, DEAD } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_TESTED } from '../../../src/routes/webhooks/test-filter.ts';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

const URL = 'https://hooks.example.com/in';
const FILTER = { type: { $in: ['doc_open', 'doc_download'] }, actor: { email: { $in: '@globex.' } } };

let api: TestApi;
const token = sessionToken({ companyId: COMPANY });

beforeAll(async () => {
  api = await openTestApi();
  await captureWorkspace(api.db);
});
afterAll(() => api.close());

async function createEndpoint(fields: object = {}): Promise<{ id: number } & Record<string, unknown>> {
  const { body } = await api.post('/webhooks', token, { url: URL, events: ['*'], ...fields }).expect(201);
  return body.data;
}

describe('the filter of an endpoint', () => {
  test('is null by default, can be set and removed, and stays unchanged when other fields are changed', async () => {
    expect(await createEndpoint()).toMatchObject({ filter: null });
    expect(await createEndpoint({ filter: null })).toMatchObject({ filter: null });
    const created = await createEndpoint({ filter: FILTER });
    expect(created).toMatchObject({ filter: FILTER });
    const patch = async (fields: object) =>
      (await api.patch(`/webhooks/${created.id}`, token, fields).expect(200)).body.data;
    expect(await patch({ description: 'new' })).toMatchObject({ filter: FILTER });
    expect(await patch({ filter: { kind: 'demo' } })).toMatchObject({ filter: { kind: 'demo' } });
    expect((await api.get(`/webhooks/${created.id}`, token)).body.data.filter).toEqual({ kind: 'demo' });
    expect((await api.get('/webhooks', token)).body.data.at(-1).filter).toEqual({ kind: 'demo' });
    expect(await patch({ filter: null })).toMatchObject({ filter: null });
  });

  test('is returned as it was written, with any order of its fields', async () => {
    const text =
      '{"b":{"$lt":1.5,"$gt":-0.25},"a":{"$or":[{"$eq":"ü"},{"$exist":false}]},"10":1,"2":{"":null}}';
    const { filter } = await createEndpoint({ filter: JSON.parse(text) });
    expect(JSON.stringify(filter)).toBe(JSON.stringify(JSON.parse(text)));
  });

  test('is audited as set, changed or removed, but without its content, which may name people', async () => {
    const filter = { actor: { email: 'zoe.quist@globex.example' } };
    const { id } = await createEndpoint({ filter });
    for (const next of [filter, { type: 'doc_open' }, null, null]) {
      await api.patch(`/webhooks/${id}`, token, { filter: next }).expect(200);
    }
    const { body, text } = await api.get('/audit-log?limit=500', token);
    const own = body.data.filter(({ objectId }: { objectId: string }) => objectId === String(id));
    expect(own.map(({ details }: { details: object }) => details)).toEqual([
      { host: 'hooks.example.com', events: ['*'], hasFilter: true },
      { changed: ['filter'], hasFilter: true },
      { changed: ['filter'], hasFilter: false },
    ]);
    expect(text).not.toContain('zoe.quist');
  });

  test.each<[unknown, string, string]>([
    ['x', 'filter', 'must be an object'],
    [[], 'filter', 'must be an object'],
    [{}, 'filter', 'must not be empty'],
    [{ type: { $equals: 'x' } }, 'filter.type.$equals', 'is not an operator'],
    [
      { actor: { email: { $in: [{}] } } },
      'filter.actor.email.$in',
      'must be a string of at most 100 characters',
    ],
    [{ $or: [{ a: 1 }, { b: { $gt: true } }] }, 'filter.$or.1.b.$gt', 'must be a string or a number'],
    [{ a: 'x'.repeat(4_100) }, 'filter', 'must have at most 4096 bytes'],
    [{ a: { b: { c: { d: { e: { f: 1 } } } } } }, 'filter.a.b.c.d.e', 'must not be nested deeper'],
  ])('%#: is rejected if it is invalid', async (filter, path, problem) => {
    const { id } = await createEndpoint({ filter: { a: 1 } });
    for (const { status, body } of [
      await api.post('/webhooks', token, { url: URL, events: ['*'], filter }),
      await api.patch(`/webhooks/${id}`, token, { filter }),
      await api.post('/webhooks/test-filter', token, { filter, events: ['*'] }),
    ]) {
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.error).toMatch(new RegExp(`^${path.replaceAll(/[$.]/g, String.raw`\$&`)}: ${problem}`));
    }
    expect((await api.get(`/webhooks/${id}`, token)).body.data.filter).toEqual({ a: 1 });
  });

  test('cannot change what objects inherit', async () => {
    const raw = '{"__proto__":{"polluted":{"$eq":1}}}';
    const { body } = await api
      .post('/webhooks', token, { url: URL, events: ['*'], filter: JSON.parse(raw) })
      .expect(400);
    expect(body.error).toBe('filter.__proto__: is not the name of a field');
    expect('polluted' in {}).toBe(false);
    await createEndpoint({ filter: { constructor: { prototype: { polluted: 1 } } } });
    expect('polluted' in {}).toBe(false);
  });
});

test('sends a test event, a retry and a resend to an endpoint whose filter matches nothing', async () => {
  const receiver = await startReceiver();
  const { id } = await createEndpoint({ url: receiver.url });
  const [first, second] = await addDeliveries(api.db, id, 2, DEAD);
  await api.patch(`/webhooks/${id}`, token, { filter: { never: true } }).expect(200);
  const { body } = await api.post(`/webhooks/${id}/ping`, token).expect(200);
  expect(body.data).toMatchObject({ eventType: 'integration.ping', status: 'delivered' });
  await api.post(`/webhooks/${id}/deliveries/${first}/retry`, token).expect(200);
  await api.post(`/webhooks/${id}/deliveries/${second}/resend`, token).expect(201);
  expect((await api.post(`/webhooks/${id}/retry-dead`, token).expect(200)).body).toMatchObject({ count: 1 });
  expect(await api.db.pendingDelivery.count({ where: { endpointId: id } })).toBe(3);
  await receiver.close();
});

describe('trying a filter', () => {
  const tryFilter = async (filter: object | null, events: string[], who = token) =>
    (await api.post('/webhooks/test-filter', who, { filter, events }).expect(200)).body;

  beforeAll(async () => {
    await capture(
      api.db,
      ...['doc_open', 'room_visit', 'doc_open'].map((type, n) => ({
        record: 'event' as const,
        key: `tried ${n}`,
        type,
        occurredAt: `2026-09-02T10:0${n}:00Z`,
        distributionId: LINK,
      })),
    );
  });

  test('returns the matching objects of the workspace, newest first, even if no endpoint received them', async () => {
    const answer = await tryFilter({ type: 'doc_open' }, ['engagement.recorded']);
    const { data: feed } = (await api.get('/console/api/engagement/events?order=desc', token).expect(200))
      .body as { data: { id: string; occurredAt: string; type: string }[] };
    expect(answer).toEqual({
      data: feed.map(({ id, occurredAt, type }) => ({
        id,
        type: 'engagement.recorded',
        at: occurredAt,
        matches: type === 'doc_open',
      })),
      matched: 2,
    });
    expect(answer.data).toHaveLength(3);
  });

  test('checks all types that filters apply to with *, and leaves out the others', async () => {
    const { data, matched } = await tryFilter(null, ['*']);
    expect(new Set(data.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['engagement.recorded', 'call.recorded', 'decision_room.created', 'decision_room.updated']),
    );
    expect(matched).toBe(data.length);
    expect(
      (await tryFilter({ title: 'First demo' }, ['*'])).data.filter(
        (one: { matches: boolean }) => one.matches,
      ),
    ).toEqual([{ id: CALL, type: 'call.recorded', at: expect.any(String), matches: true }]);
    expect(await tryFilter({ a: 1 }, ['person.erased', 'integration.ping'])).toEqual({
      data: [],
      matched: 0,
    });
    expect((await tryFilter({ id: ROOM }, ['decision_room.updated'])).matched).toBe(1);
  });

  test('checks a hundred objects, and none of another workspace', async () => {
    const records = Array.from({ length: MAX_TESTED + 5 }, (_, n) => ({
      record: 'event' as const,
      key: `many ${n}`,
      type: 'room_visit',
      occurredAt: '2026-09-03',
      distributionId: LINK,
    }));
    await capture(api.db, ...records);
    // The call and the room are newer, and two types contain the room.
    const answer = await tryFilter({ type: 'room_visit' }, ['*']);
    expect([answer.data.length, answer.matched]).toEqual([MAX_TESTED, MAX_TESTED - 3]);
    await addCompany(api.db, 77);
    expect(await tryFilter({ type: 'room_visit' }, ['*'], sessionToken({ companyId: 77 }))).toEqual({
      data: [],
      matched: 0,
    });
  });

  test('requires a filter and types', async () => {
    for (const [body, field] of [
      [{ events: ['*'] }, 'filter'],
      [{ filter: { a: 1 } }, 'events'],
      [{ filter: { a: 1 }, events: ['x'] }, 'events'],
    ] as const) {
      const { body: error } = await api.post('/webhooks/test-filter', token, body).expect(400);
      expect(error.error).toMatch(new RegExp(`^${field}`));
    }
  });
});

test('stores only checked filters', async () => {
  for (const { filter } of await api.db.webhookEndpoint.findMany()) {
    if (filter !== null) expect(findFilterProblem(filter)).toBeNull();
  }
});
