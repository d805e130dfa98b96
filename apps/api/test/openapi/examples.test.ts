import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentExample } from '@deal-signals/serializers/examples/document';
import { esignDocumentExample } from '@deal-signals/serializers/examples/esign-document';
import { personExample } from '@deal-signals/serializers/examples/person';
import { alertChannelExample } from '@deal-signals/serializers/examples/alert-channel';
import { webhookEndpointExample } from '@deal-signals/serializers/examples/webhooks/webhook-endpoint';
import { ROUTES } from '../../src/app.ts';
import { openTestApi, sessionToken, type TestApi } from '../test-api.ts';
import { EXAMPLES_TAKEN_AT, exampleStory, manageExamples, STORY } from './example-story.ts';

let api: TestApi;
let key: string;
/** How long ago the examples were taken, according to the clock of the API. */
let ageMs: number;
let receiver: Receiver;
/** The responses of the management operations, by operation id. */
let managed: Record<string, unknown>;

beforeAll(async () => {
  api = await openTestApi({ settings: { rateLimitPerMinute: 300 } });
  const now = Date.now();
  ageMs = now - EXAMPLES_TAKEN_AT;
  for (const record of exampleStory(now)) await captureRecords(api.db, [captureRecord.parse(record)]);
  const token = sessionToken({ companyId: STORY.companyId, sub: '501' });
  receiver = await startReceiver();
  managed = await manageExamples(api, token, receiver);
  ({ key } = managed['createApiKey'] as { key: string });
});

afterAll(async () => {
  await receiver.close();
  await api.close();
});

/** Reports whether a field of an object is a reading of the feed clock. In a room and its score, it is called `lastActivityAt`. */
const isClockReading = (name: string, object: object) =>
  name === 'updatedAt' ||
  (name === 'lastActivityAt' && ('owner' in object || 'recencyPoints' in object)) ||
  isFeedId((object as Record<string, unknown>)[name]);
const isFeedId = (value: unknown) => typeof value === 'string' && /^\d{16}$/.test(value);

/** Returns a response as it was when the examples were taken, without readings of the feed clock, which no record determines. */
function asThen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => asThen(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        isClockReading(name, value) ? 'read from the clock' : asThen(field),
      ]),
    );
  }
  const isMoment = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
  return isMoment ? new Date(Date.parse(value) - ageMs).toISOString() : value;
}

/** Returns the published example, without the same fields. */
function exampleOf(operationId: string): unknown {
  const { example } = ROUTES.find((route) => route.operationId === operationId) as { example: object };
  const data = 'data' in example ? example.data : undefined;
  return JSON.parse(JSON.stringify(data), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, field]) => [
            name,
            isClockReading(name, value) ? 'read from the clock' : field,
          ]),
        )
      : value,
  );
}

const READ: [string, string][] = [
  ['getCall', `/calls/${STORY.call}`],
  ['listCalls', '/calls?limit=1'],
  ['getRoom', `/decision-rooms/${STORY.room}`],
  ['listRooms', '/decision-rooms?limit=1'],
  ['getRoomMetrics', `/decision-rooms/${STORY.room}/metrics`],
  ['listRoomScores', '/room-scores?limit=1'],
  ['listEngagementEvents', '/engagement/events?limit=1'],
  ['listEngagementViews', '/engagement/views?limit=1'],
  ['getDistribution', `/distributions/${STORY.link}`],
  ['listDistributions', '/distributions?limit=1'],
  ['getPerson', `/people/${personExample.id}`],
  ['listPeople', '/people?limit=1'],
  ['getDocument', `/documents/${documentExample.id}`],
  ['listDocuments', '/documents?limit=1'],
  ['getEsignDocument', `/esign-documents/${esignDocumentExample.id}`],
  ['listEsignDocuments', '/esign-documents?limit=1'],
  ['getHeatmap', `/distributions/${STORY.link}/heatmap`],
];

test('every read with a key is covered', () => {
  // The responses of these depend on the key and on earlier deliveries.
  const others = ['getStatus', 'listErasures', 'listDeliveries', 'getDelivery'];
  const operations = ROUTES.filter(({ access }) => access === 'key').map(({ operationId }) => operationId);
  expect([...READ.map(([operationId]) => operationId), ...others].toSorted()).toEqual(operations.toSorted());
});

test.each(READ)('the published example of %s is the response of the API', async (operationId, path) => {
  const { body } = await api.get(path, key).expect(200);
  expect(asThen(body.data)).toEqual(exampleOf(operationId));
});

/**
 * Replaces every value that differs each time by a name: times, random ids, secrets, traces, durations and the receiver's URL.
 * Each id gets one name.
 */
function named(value: unknown): unknown {
  const ids: string[] = [];
  const nameOf = (text: string): string => {
    if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text)) return 'a moment';
    if (/^dsk_live_[\w-]{4}$/.test(text)) return 'the beginning of a key';
    if (/^dsk_live_[\w-]{43}$|^whsec_[\w+/]{43}=$/.test(text)) return 'a secret';
    if (/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(text)) return 'a trace';
    if (isFeedId(text)) return 'a reading of the feed clock';
    if (text === receiver.url) return webhookEndpointExample.url;
    if (text === new URL(receiver.url).host) return alertChannelExample.host;
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
    if (!ids.includes(text)) ids.push(text);
    return `id ${ids.indexOf(text)}`;
  };
  return JSON.parse(JSON.stringify(value), (name, field: unknown) => {
    if (name === 'ipAddress') return 'an address';
    if (typeof field === 'string') return nameOf(field);
    return name === 'durationMs' ? 'a while' : field;
  });
}

const managing = ROUTES.filter(({ access, status }) => access !== 'key' && status !== 204);

test.each(managing.map((route) => ({ ...route })))(
  'the published example of $operationId is the response to an admin',
  (route) => {
    const { operationId, example } = route as { operationId: string; example: unknown };
    expect(named(managed[operationId])).toEqual(named(example));
  },
);

test('the published test event equals the one that a receiver gets', async () => {
  const { webhooks } = (await api.get('/openapi.json').expect(200)).body;
  const { example } = webhooks['integration.ping'].post.requestBody.content['application/json'];
  expect(named(JSON.parse(String(receiver.requests[0]?.rawBody)))).toEqual(named(example));
});
