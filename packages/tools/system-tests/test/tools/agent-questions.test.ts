import type { Database } from '@deal-signals/db/database';
import { seedDemo } from '@deal-signals/demo/quarter/seed';
import { startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { addDeliveries, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

// Questions to an assistant, answered by a program that calls the tools as a model would, with the official client of either
// era. The client checks every result against the schema that the tool publishes.

/** The demo workspace with a quarter of deals. */
const WORKSPACE = 1001;

let database: TestDatabase;
let dealName: string;
let clients: Record<'2025-11-25' | '2026-07-28', Pick<Client | OldClient, 'callTool' | 'close'>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await seedDemo(database.db);
  dealName = await connectBrokenCrm(database.db);
  const api = await startApp('api', { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() });
  const headers = { Authorization: `Bearer ${await addKey(database.db, WORKSPACE)}` };
  const url = new URL('/mcp', api.url);
  const options = { requestInit: { headers } };
  const old = new OldClient({ name: 'questions', version: '1' });
  await old.connect(new OldTransport(url, options));
  const modern = new Client(
    { name: 'questions', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await modern.connect(new StreamableHTTPClientTransport(url, options));
  // From here on, the clients have the schemas of the results.
  await old.listTools();
  await modern.listTools();
  clients = { '2025-11-25': old, '2026-07-28': modern };
});

afterAll(async () => {
  for (const client of Object.values(clients)) await client.close();
  await database.drop();
});

/** Connects a CRM that rejects the events of a deal. Returns the name of the deal. */
async function connectBrokenCrm(db: Database): Promise<string> {
  const [room] = await db.room.findMany({
    where: { companyId: WORKSPACE },
    orderBy: { lastActivityAt: 'desc' },
    take: 1,
  });
  const endpointId = await addEndpoint(db, {
    companyId: WORKSPACE,
    description: 'CRM',
    url: 'https://crm.example.com/hooks/secret',
  });
  await addDeliveries(db, endpointId, 2, {
    companyId: WORKSPACE,
    status: 'dead',
    attempts: 8,
    lastError: 'receiver responded with 401',
    lastStatusCode: 401,
  });
  await db.$executeRaw`
    UPDATE webhook_events SET buyer_space_id = ${room!.id}::uuid
    WHERE company_id = ${WORKSPACE} AND id IN (SELECT event_id FROM deliveries WHERE company_id = ${WORKSPACE})`;
  await db.$executeRaw`
    INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
    SELECT ${WORKSPACE}, s.kind, s.subject, min(d.id), count(*)
    FROM deliveries d JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id
    CROSS JOIN LATERAL delivery_subjects(e.id, e.type, e.buyer_space_id, e.call_id, e.identity) AS s
    WHERE d.company_id = ${WORKSPACE} AND s.kind = 'room'
    GROUP BY s.kind, s.subject`;
  return room!.name;
}

const ERAS = ['2025-11-25', '2026-07-28'] as const;

/** Calls tools one after another, as a model does to answer a question, and keeps their results. */
function newConversation(era: (typeof ERAS)[number]) {
  const read: string[] = [];
  return {
    read,
    ask: async (name: string, given: Record<string, unknown>): Promise<any> => {
      const result = await clients[era].callTool({ name, arguments: given });
      read.push((result['content'] as { text: string }[])[0]?.text ?? '');
      return result['structuredContent'];
    },
    /** Fails if the answer took more calls or characters than allowed. */
    expectAtMost: (calls: number, characters: number) => {
      const cost = read.join('').length;
      console.log(`${era}: ${read.length} calls, ${cost} characters`);
      expect(read.length).toBeLessThanOrEqual(calls);
      expect(cost).toBeLessThan(characters);
    },
  };
}

test.each(ERAS)(
  'why the CRM did not get the events of a deal takes two short calls, with %s',
  async (era) => {
    const { ask, expectAtMost } = newConversation(era);
    const { data: found } = await ask('find_rooms', { name: dealName, limit: 3 });
    const { data } = await ask('why_not_delivered', { room_id: found[0].id });
    const crm = data.endpoints.find(({ description }: any) => description === 'CRM');
    expect(crm.verdicts[0]).toMatchObject({
      code: 'dead',
      count: 2,
      error: 'receiver responded with 401',
    });
    expect(data.meanings.dead).toContain('failed for good');
    expectAtMost(3, 3_000);
  },
);

test.each(ERAS)(
  'finds in three calls which three deals need attention today, and why, with %s',
  async (era) => {
    const { ask, expectAtMost } = newConversation(era);
    const { data: deals } = await ask('pipeline_overview', { sort: 'attention', limit: 3 });
    expect(deals).toHaveLength(3);
    for (const { reasons, latest } of deals) {
      expect(reasons.length).toBeGreaterThan(0);
      expect(latest.length).toBeGreaterThan(0);
    }
    for (const { roomId } of deals.slice(0, 2)) await ask('what_happened', { room_id: roomId, limit: 8 });
    expectAtMost(3, 8_000);
  },
);

test.each(ERAS)('finds in four short calls which deals went quiet, and why, with %s', async (era) => {
  const { ask, read, expectAtMost } = newConversation(era);
  const { data: quiet, comparedAll } = await ask('pipeline_overview', {
    quiet_days_min: 3,
    quiet_days_max: 30,
    sort: 'value',
  });
  expect(comparedAll).toBe(true);
  expect(quiet.length).toBeGreaterThan(2);
  for (const { roomId, name, quietDays, lastEngagementAt } of quiet.slice(0, 3)) {
    expect(quietDays).toBeGreaterThanOrEqual(3);
    const story = await ask('what_happened', { room_id: roomId });
    expect(story.room).toMatchObject({ id: roomId, name });
    // The story names the people, includes the last message, and begins with the silence.
    const byProspects = story.data.filter(({ did }: { did: string }) => !did.startsWith('call: '));
    expect(byProspects[0].at <= lastEngagementAt).toBe(true);
    expect(byProspects.every(({ who }: { who: string | null }) => who !== null)).toBe(true);
  }

  for (const text of read) expect(text.length).toBeLessThan(4_000);
  expectAtMost(4, 15_000);
});

test.each(ERAS)('every tool returns what its schema describes, with %s', async (era) => {
  const client = clients[era];
  const { data: rooms } = (await client.callTool({ name: 'find_rooms', arguments: {} }))
    .structuredContent as any;
  for (const [name, given] of [
    ['get_room', { room_id: rooms[0].id }],
    ['get_room', { room_id: rooms[0].id, max_characters: 40_000 }],
    ['list_calls', {}],
    ['list_calls', { max_characters: 40_000 }],
    ['list_events', {}],
    ['list_views', {}],
    ['list_changes', { since: '2020-01-01' }],
    ['pipeline_overview', { sort: 'attention' }],
    ['what_happened', { room_id: rooms[0].id }],
    ['delivery_health', {}],
    ['why_not_delivered', { room_id: rooms[0].id }],
  ] as const) {
    const { isError = false } = await client.callTool({ name, arguments: given });
    expect([name, isError]).toEqual([name, false]);
  }
});
