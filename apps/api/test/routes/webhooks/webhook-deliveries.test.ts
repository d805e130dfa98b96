import { addDelivery, addEndpoint, DEAD, readDelivery } from '@deal-signals/test-kit/worlds/deliveries';
import { feedId, second } from '@deal-signals/test-kit/worlds/ids';
import { addCompany, addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../../test-api.ts';

let api: TestApi;
let key: string;
let endpoints: number[];
const events: string[] = [];

beforeAll(async () => {
  api = await openTestApi();
  for (const companyId of [1, 2]) {
    await addCompany(api.db, companyId);
    const [first, other] = [
      await addEndpoint(api.db, { companyId }),
      await addEndpoint(api.db, { companyId }),
    ];
    if (companyId === 1) endpoints = [first, other];
    for (const eventType of ['decision_room.updated', 'engagement.recorded'] as const) {
      const id = await addDelivery(api.db, first, { companyId, eventType, createdAt: second(1) });
      const { eventId, createdAt, nextAttemptAt } = await readDelivery(api.db, id);
      if (companyId === 1) events.push(eventId);
      // The other endpoint gets the same event.
      const sibling = { companyId, id: feedId(createdAt), endpointId: other, eventId, eventType, createdAt };
      if (companyId === 1 && eventType === 'engagement.recorded') {
        await api.db.webhookDelivery.create({ data: { ...sibling, ...DEAD } });
      } else {
        await api.db.pendingDelivery.create({ data: { ...sibling, nextAttemptAt } });
      }
      await api.db.webhookDeliverySubject.updateMany({
        where: { companyId, firstDeliveryId: id },
        data: { deliveries: Number(sibling.id - id) + 1 },
      });
    }
  }
  key = await addKey(api.db, 1);
});
afterAll(() => api.close());

async function list(query = '') {
  const { status, body } = await api.get(`/webhook-deliveries${query}`, key);
  expect(status).toBe(200);
  return body;
}

test('the list has only the deliveries of the workspace, in the order of their ids', async () => {
  const { data, hasMore, nextCursor } = await list();
  expect(data).toHaveLength(4);
  expect(hasMore).toBe(false);
  expect(nextCursor).toBe(data[3].id);
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^1\d{15}$/),
    endpointId: endpoints[0],
    eventId: events[0],
    eventType: 'decision_room.updated',
    buyerSpaceId: null,
    callId: null,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: '2026-01-01T00:00:01.000Z',
    createdAt: '2026-01-01T00:00:01.000Z',
    deliveredAt: null,
    lastStatusCode: null,
    lastError: null,
    dismissedAt: null,
  });
});

test('the list is paged by an integer cursor', async () => {
  const first = await list('?limit=3');
  expect([first.data.length, first.hasMore]).toEqual([3, true]);
  const rest = await list(`?limit=3&cursor=${first.nextCursor}`);
  expect([rest.data.length, rest.hasMore]).toEqual([1, false]);
  const end = await list(`?cursor=${rest.nextCursor}`);
  expect(end).toEqual({ data: [], hasMore: false, nextCursor: rest.nextCursor });
});

describe('filters', () => {
  test('by status returns the deliveries with that status', async () => {
    expect((await list('?status=dead')).data).toEqual([
      expect.objectContaining({ status: 'dead', attempts: 8, lastStatusCode: 500, nextAttemptAt: null }),
    ]);
  });

  test.each([
    ['endpoint', () => `endpoint_id=${endpoints[0]}`, 2],
    ['event type', () => 'event_type=engagement.recorded', 2],
    ['event', () => `event_id=${events[0]}`, 2],
    ['event and endpoint', () => `event_id=${events[0]}&endpoint_id=${endpoints[1]}`, 1],
    ['status and event', () => `status=dead&event_id=${events[0]}`, 0],
  ])('by %s returns the matching deliveries', async (_filter, query, count) => {
    expect((await list(`?${query()}`)).data).toHaveLength(count);
  });

  test.each(['status=lost', 'endpoint_id=x', 'endpoint_id=9999999999', 'event_type=nonsense', 'event_id=1'])(
    'reject %s, and the error names the parameter',
    async (query) => {
      const { status, body } = await api.get(`/webhook-deliveries?${query}`, key);
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.error).toContain(query.split('=')[0]);
    },
  );
});
