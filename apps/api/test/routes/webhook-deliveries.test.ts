import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addCompany, addKey } from '../rows.ts';
import { openTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;
let key: string;
let endpoints: number[];
const events: string[] = [];

beforeAll(async () => {
  api = await openTestApi();
  for (const companyId of [1, 2]) {
    await addCompany(api.db, companyId);
    const created = [];
    for (const n of [1, 2]) {
      created.push(
        await api.db.webhookEndpoint.create({
          data: {
            companyId,
            url: `https://r${n}.example`,
            events: ['*'],
            secretCiphertext: new Uint8Array(1),
          },
        }),
      );
    }
    const ids = created.map(({ id }) => id);
    if (companyId === 1) endpoints = ids;
    for (const type of ['decision_room.updated', 'engagement.recorded']) {
      const eventId = randomUUID();
      if (companyId === 1) events.push(eventId);
      const createdAt = new Date('2026-09-01T12:00:00.000Z');
      await api.db.webhookEvent.create({ data: { companyId, id: eventId, type, createdAt, body: '{}' } });
      for (const endpointId of ids) {
        await api.db.webhookDelivery.create({
          data: { companyId, endpointId, eventId, eventType: type, createdAt, nextAttemptAt: createdAt },
        });
      }
    }
  }
  await api.db.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'dead', ready = false, next_attempt_at = NULL, attempts = 8, last_status_code = 500,
        last_error = 'receiver answered 500'
    WHERE company_id = 1 AND endpoint_id = ${endpoints[1]} AND event_type = 'engagement.recorded'`;
  key = await addKey(api.db, 1);
});
afterAll(() => api.close());

async function list(query = '') {
  const { status, body } = await api.get(`/webhook-deliveries${query}`, key);
  expect(status).toBe(200);
  return body;
}

test('shows the deliveries of the workspace alone, in the order of their ids', async () => {
  const { data, hasMore, nextCursor } = await list();
  expect(data).toHaveLength(4);
  expect(hasMore).toBe(false);
  expect(nextCursor).toBe(data[3].id);
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^1\d{12}$/),
    endpointId: endpoints[0],
    eventId: events[0],
    eventType: 'decision_room.updated',
    status: 'pending',
    attempts: 0,
    nextAttemptAt: '2026-09-01T12:00:00.000Z',
    createdAt: '2026-09-01T12:00:00.000Z',
    deliveredAt: null,
    lastStatusCode: null,
    lastError: null,
  });
});

test('pages by an integer cursor', async () => {
  const first = await list('?limit=3');
  expect([first.data.length, first.hasMore]).toEqual([3, true]);
  const second = await list(`?limit=3&cursor=${first.nextCursor}`);
  expect([second.data.length, second.hasMore]).toEqual([1, false]);
  const end = await list(`?cursor=${second.nextCursor}`);
  expect(end).toEqual({ data: [], hasMore: false, nextCursor: second.nextCursor });
});

describe('filters', () => {
  test('status, endpoint, event type and event, together too', async () => {
    const dead = await list('?status=dead');
    expect(dead.data).toEqual([
      expect.objectContaining({ status: 'dead', attempts: 8, lastStatusCode: 500, nextAttemptAt: null }),
    ]);
    expect((await list(`?endpoint_id=${endpoints[0]}`)).data).toHaveLength(2);
    expect((await list('?event_type=engagement.recorded')).data).toHaveLength(2);
    expect((await list(`?event_id=${events[0]}`)).data).toHaveLength(2);
    expect((await list(`?event_id=${events[0]}&endpoint_id=${endpoints[1]}`)).data).toHaveLength(1);
    expect((await list(`?status=dead&event_id=${events[0]}`)).data).toHaveLength(0);
  });

  test.each(['status=lost', 'endpoint_id=x', 'endpoint_id=9999999999', 'event_type=nonsense', 'event_id=1'])(
    '%s is refused and named',
    async (query) => {
      const { status, body } = await api.get(`/webhook-deliveries?${query}`, key);
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.error).toContain(query.split('=')[0]);
    },
  );
});
