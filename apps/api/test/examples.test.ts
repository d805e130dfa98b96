import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROUTES } from '../src/app.ts';
import { EXAMPLES_TAKEN_AT, exampleStory, STORY } from './example-story.ts';
import { openTestApi, sessionToken, type TestApi } from './test-api.ts';

let api: TestApi;
let key: string;
/** How long ago the examples were taken, as the API sees it. */
let ageMs: number;

beforeAll(async () => {
  api = await openTestApi({ settings: { rateLimitPerMinute: 300 } });
  const now = Date.now();
  ageMs = now - EXAMPLES_TAKEN_AT;
  for (const record of exampleStory(now)) await captureRecords(api.db, [captureRecord.parse(record)]);
  const token = sessionToken({ companyId: STORY.companyId, sub: '501' });
  key = (await api.post('/api-keys', token, { name: 'Data warehouse' }).expect(201)).body.key;
});

afterAll(() => api.close());

const CLOCK_READINGS = new Set(['updatedAt', 'lastActivityAt']);

/** An answer as it would have been when the examples were taken; readings of the feed clock, which no record chose, left out. */
function asThen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => asThen(item));
  if (typeof value === 'object' && value !== null) {
    const isClocked = 'owner' in value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        isClocked && CLOCK_READINGS.has(name) ? 'read from the clock' : asThen(field),
      ]),
    );
  }
  const isMoment = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
  return isMoment ? new Date(Date.parse(value) - ageMs).toISOString() : value;
}

/** The published example, with the same left out. */
function exampleOf(operationId: string): unknown {
  const { example } = ROUTES.find((route) => route.operationId === operationId) as { example: object };
  const data = 'data' in example ? example.data : undefined;
  return JSON.parse(JSON.stringify(data), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && 'owner' in value
      ? Object.fromEntries(
          Object.entries(value).map(([name, field]) => [
            name,
            CLOCK_READINGS.has(name) ? 'read from the clock' : field,
          ]),
        )
      : value,
  );
}

test.each([
  ['getCall', `/calls/${STORY.call}`],
  ['listCalls', '/calls?limit=1'],
  ['getRoom', `/decision-rooms/${STORY.room}`],
  ['listRooms', '/decision-rooms?limit=1'],
  ['getRoomMetrics', `/decision-rooms/${STORY.room}/metrics`],
  ['listEngagementEvents', '/engagement/events?limit=1'],
  ['listEngagementViews', '/engagement/views?limit=1'],
  ['getHeatmap', `/distributions/${STORY.link}/heatmap`],
])('the published example of %s is what the API answers', async (operationId, path) => {
  const { body } = await api.get(path, key).expect(200);
  expect(asThen(body.data)).toEqual(exampleOf(operationId));
});
