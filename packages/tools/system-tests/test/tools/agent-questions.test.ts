import { seedDemo } from '@deal-signals/demo/quarter/seed';
import { startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

// What an assistant is asked, answered by a program that calls the tools as a model would. The client of the SDK checks every
// result against the schema that the tool publishes.

/** The workspace of the demo with a quarter of deals. */
const WORKSPACE = 1001;
/** What an answer may cost of the context of a model. */
const MOST_CALLS = 4;
const MOST_CHARACTERS = 15_000;

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await seedDemo(database.db);
  const api = await startApp('api', { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() });
  client = new Client({ name: 'questions', version: '1' });
  const headers = { Authorization: `Bearer ${await addKey(database.db, WORKSPACE)}` };
  const url = new URL('/mcp', api.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  // The client knows the schemas of the results from here on.
  await client.listTools();
});

afterAll(async () => {
  await client.close();
  await database.drop();
});

test('which deals went quiet, and why, takes four short calls', async () => {
  const read: string[] = [];
  const ask = async (name: string, given: Record<string, unknown>): Promise<any> => {
    const { structuredContent, content } = await client.callTool({ name, arguments: given });
    read.push((content as { text: string }[])[0]?.text ?? '');
    return structuredContent;
  };

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
    // The story names the people, tells what was said last, and begins where the silence did.
    const byProspects = story.data.filter(({ did }: { did: string }) => !did.startsWith('call: '));
    expect(byProspects[0].at <= lastEngagementAt).toBe(true);
    expect(byProspects.every(({ who }: { who: string | null }) => who !== null)).toBe(true);
  }

  expect(read.length).toBeLessThanOrEqual(MOST_CALLS);
  for (const text of read) expect(text.length).toBeLessThan(4_000);
  expect(read.join('').length).toBeLessThan(MOST_CHARACTERS);
});

test('every tool returns what its schema says', async () => {
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
  ] as const) {
    const { isError = false } = await client.callTool({ name, arguments: given });
    expect([name, isError]).toEqual([name, false]);
  }
});
