import { setTimeout } from 'node:timers/promises';
import type { WebhookDelivery } from '@deal-signals/serializers/webhooks/delivery';
import { beginAttempt } from '@deal-signals/deliveries/attempts/begin-attempt';
import type { RecordOutcome } from '@deal-signals/deliveries/attempts/outcome';
import { recordOutcomesInBatches } from '@deal-signals/deliveries/attempts/record-outcomes';
import { claimReady } from '@deal-signals/deliveries/claims/claim-ready';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { capture, captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApi, sessionToken, type TestApi } from '../../test-api.ts';

// Deliveries move between the queue and the log while others read the lists page by page. Each list must return each of them
// once.

const OTHER_ROOM = uuid(11);
const ENDPOINTS = 3;
const TYPE = 'engagement.recorded';
const TIMEOUT_MS = 240_000;
const LEASE = { leaseMs: 60_000, leaseNeededMs: 0 };
/** A delivery is dead after its second attempt, and the second is due immediately. */
const RULES = { retryScheduleMs: [1], maxAttempts: 2, disableAfter: 1_000_000, disableMinOutageMs: 0 };

type Random = (limit: number) => number;

let api: TestApi;
let key: string;
let endpoints: number[];
const token = sessionToken();

beforeAll(async () => {
  api = await openTestApi();
  await captureWorkspace(api.db);
  await capture(api.db, { record: 'room', id: OTHER_ROOM, name: 'Initech' });
  endpoints = [];
  for (let n = 0; n < ENDPOINTS; n += 1) endpoints.push(await addEndpoint(api.db));
  key = await addKey(api.db, 1);
  for (let n = 0; n < 20; n += 1) await captureMore(n);
});
afterAll(() => api.close());

/** Captures events of several types, of two rooms, each for every endpoint. */
function captureMore(n: number): Promise<void> {
  const occurredAt = '2026-09-01T12:00:00Z';
  return capture(
    api.db,
    { record: 'event', key: `link ${n}`, type: 'trailer_view', occurredAt, distributionId: LINK },
    { record: 'room', id: n % 2 === 0 ? ROOM : OTHER_ROOM, dealValueCents: n },
    { record: 'message', key: `message ${n}`, roomId: OTHER_ROOM, side: 'prospect', sentAt: occurredAt },
  );
}

/** Attempts due deliveries, many at a time. Some attempts fail. Returns the number of finished attempts. */
async function attempt(record: RecordOutcome, random: Random): Promise<number> {
  await api.db.$executeRaw`
    UPDATE pending_deliveries SET ready = true, next_attempt_at = now() WHERE NOT ready AND claim_token IS NULL`;
  const limits = {
    batch: 20 + random(60),
    endpointLimit: 1_000,
    workspaceLimit: 1_000,
    leaseMs: LEASE.leaseMs,
  };
  const { claims } = await claimReady(api.db, limits);
  const ended = await Promise.all(
    claims.map(async (claim) => {
      const beginning = await beginAttempt(api.db, claim, LEASE);
      if (beginning.kind !== 'begun') return 0;
      const result = {
        kind: 'responded',
        status: random(10) < 1 ? 200 : 500,
        excerpt: '',
        durationMs: 1,
      } as const;
      return (await record(beginning.attempt, result)).written ? 1 : 0;
    }),
  );
  return ended.reduce<number>((total, one) => total + one, 0);
}

/** Retries, resends or dismisses like an admin. Returns how many dead letters were retried. */
async function manage(random: Random): Promise<number> {
  const path = `/webhooks/${endpoints[random(ENDPOINTS)]}`;
  const choice = random(10);
  if (choice < 6) {
    const { body } = await api.post(`${path}/retry-dead`, token, { limit: 1 + random(50) }).expect(200);
    return body.count;
  }
  if (choice < 7) {
    await api.post(`${path}/dismiss-dead`, token, { limit: 1 }).expect(200);
    return 0;
  }
  const { body } = await api.get(`${path}/deliveries?order=desc&limit=20`, token).expect(200);
  const { id } = body.data[random(body.data.length)] as WebhookDelivery;
  const action = choice < 8 ? 'resend' : 'retry';
  const { status } = await api.post(`${path}/deliveries/${id}/${action}`, token);
  expect([200, 201, 409]).toContain(status);
  return action === 'retry' && status === 200 ? 1 : 0;
}

/** Reads a list from its beginning to its end, in pages of 1 to 20. */
async function readAll(path: string, query: Record<string, string>, random: Random): Promise<string[]> {
  const seen: string[] = [];
  for (let [cursor, hasMore] = ['', true]; hasMore;) {
    const page = { ...query, limit: String(1 + random(20)), ...(cursor !== '' && { cursor }) };
    const search = new URLSearchParams(page).toString();
    const { body } = await api
      .get(`${path}?${search}`, path.startsWith('/webhooks') ? token : key)
      .expect(200);
    seen.push(...(body.data as WebhookDelivery[]).map(({ id }) => id));
    ({ nextCursor: cursor, hasMore } = body);
  }
  return seen;
}

/** A path, its filter, and the condition for its deliveries. */
type List = [path: string, query: Record<string, string>, matches: (row: Shown) => boolean];

interface Shown {
  id: bigint;
  endpointId: number;
  eventType: string;
  roomId: string | null;
}

test(
  'readers of every list get each delivery once and in the order of ids, while deliveries end, are retried, resent and dismissed',
  async () => {
    const lists: List[] = [
      ['/webhook-deliveries', {}, () => true],
      [
        '/webhook-deliveries',
        { endpoint_id: String(endpoints[1]) },
        (row) => row.endpointId === endpoints[1],
      ],
      [`/webhooks/${endpoints[0]}/deliveries`, {}, (row) => row.endpointId === endpoints[0]],
      ['/webhook-deliveries', { event_type: TYPE }, (row) => row.eventType === TYPE],
      ['/webhook-deliveries', { buyer_space_id: ROOM }, (row) => row.roomId === ROOM],
    ];
    const passes: { list: List; order: string; newest: bigint; seen: string[] }[] = [];
    const moved = { ended: 0, retried: 0 };
    const isEnough = () =>
      moved.ended >= 500 &&
      moved.retried >= 150 &&
      lists.every((list) => passes.filter((pass) => pass.list === list).length >= 3);
    const repeat = async (seed: number, work: (random: Random, n: number) => Promise<unknown>) => {
      const random = randomNumbers(seed);
      for (let n = 0; !isEnough(); n += 1) await work(random, n);
    };
    const record = recordOutcomesInBatches(api.db, RULES);
    await Promise.all([
      ...[1, 2].map((seed) =>
        repeat(seed, async (random) => {
          moved.ended += await attempt(record, random);
        }),
      ),
      ...[3, 4].map((seed) =>
        repeat(seed, async (random) => {
          moved.retried += await manage(random);
        }),
      ),
      repeat(5, async (_random, n) => {
        await captureMore(100 + n);
        await setTimeout(500);
      }),
      ...lists.map((list, index) =>
        repeat(10 + index, async (random, n) => {
          const order = n % 2 === 0 ? 'asc' : 'desc';
          const newest = (await api.db.delivery.aggregate({ _max: { id: true } }))._max.id!;
          passes.push({ list, order, newest, seen: await readAll(list[0], { ...list[1], order }, random) });
        }),
      ),
    ]);

    const rows = await shownRows();
    for (const { list, order, newest, seen } of passes) {
      const [path, query, matches] = list;
      const isAscending = order === 'asc';
      // Rows that were added during the reading may be missing, but not before one that is there.
      const last = BigInt((isAscending ? seen.at(-1) : seen[0]) ?? 0);
      const bound = last > newest ? last : newest;
      const expected = rows.filter((row) => matches(row) && row.id <= bound).map(({ id }) => String(id));
      expect([path, query, order, seen]).toEqual([
        path,
        query,
        order,
        isAscending ? expected : expected.toReversed(),
      ]);
    }
  },
  TIMEOUT_MS,
);

/** Returns all deliveries, with the columns that the lists are filtered by. */
function shownRows(): Promise<Shown[]> {
  return api.db.$queryRaw<Shown[]>`
    SELECT d.id, d.endpoint_id AS "endpointId", d.event_type AS "eventType", e.buyer_space_id::text AS "roomId"
    FROM deliveries d JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id ORDER BY d.id`;
}
