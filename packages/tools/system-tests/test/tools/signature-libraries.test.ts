import { spawnSync } from 'node:child_process';
import {
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '@deal-signals/test-kit/servers/https-receiver';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { capture } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { adminToken, request } from '../published-api.ts';

// The official libraries verify real deliveries with the secret that the API returned.

/** Whether the Python library of Standard Webhooks is installed: `pip install standardwebhooks`. */
const HAS_PYTHON_LIBRARY = spawnSync('python3', ['-c', 'import standardwebhooks']).status === 0;

const IN_PYTHON = `
import json, sys
from standardwebhooks.webhooks import Webhook
given = json.load(sys.stdin)
print(json.dumps(Webhook(given["secret"]).verify(given["body"], given["headers"])))
`;

let database: TestDatabase;
let api: RunningApp;
let worker: RunningApp;
let receiver: Receiver;
let endpoint: { id: number };
let secret: string;
let changes = 0;

const admin = async (method: string, path: string, body?: object): Promise<any> =>
  (await request(`${api.baseUrl}${path}`, adminToken(), { method, ...(body && { body }) })).body;

beforeAll(async () => {
  database = await createTestDatabase();
  await capture(
    database.db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'room', id: uuid(1), name: 'Globex' },
  );
  const env = { DATABASE_URL: database.url, REDIS_URL: await createTestRedis(), DISPATCH_TICK_MS: '100' };
  [api, worker] = await Promise.all([startApp('api', env), startApp('worker', env)]);
});
beforeEach(async () => {
  await receiver?.close();
  receiver = await startReceiver();
  const events = ['decision_room.updated'];
  ({ data: endpoint, secret } = await admin('POST', '/webhooks', { url: receiver.url, events }));
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

/** Captures a change and waits for its delivery. */
async function deliver(): Promise<ReceivedRequest> {
  const before = receiver.requests.length;
  changes += 1;
  await capture(database.db, { record: 'room', id: uuid(1), name: 'Globex “ü”', dealValueCents: changes });
  return (await receiver.waitFor(before + 1)).at(-1)!;
}

const bySdk = ({ rawBody, headers }: ReceivedRequest, key: string): unknown =>
  new Stripe('unused').webhooks.constructEvent(rawBody, String(headers['x-service-signature']), key);

const byStandard = ({ rawBody, headers }: ReceivedRequest, key: string): unknown =>
  new Webhook(key).verify(rawBody.toString(), headers as Record<string, string>);

function byPython({ rawBody, headers }: ReceivedRequest, key: string): unknown {
  const input = JSON.stringify({ secret: key, body: rawBody.toString(), headers });
  const { status, stdout, stderr } = spawnSync('python3', ['-c', IN_PYTHON], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const ANOTHER = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const libraries: [string, (received: ReceivedRequest, key: string) => unknown, string][] = [
  ["Stripe's library", bySdk, 'signature'],
  ['the library of Standard Webhooks', byStandard, 'signature'],
  ['the library of Standard Webhooks in Python', byPython, 'WebhookVerificationError'],
];

for (const [library, verify, refusal] of libraries) {
  const isThere = verify !== byPython || HAS_PYTHON_LIBRARY;
  const name = isThere ? library : `${library} (skipped: python3 has no package standardwebhooks)`;
  (isThere ? test : test.skip)(
    `${name} verifies a delivery, also with both secrets during a rotation`,
    async () => {
      const delivered = await deliver();
      expect(verify(delivered, secret)).toEqual(JSON.parse(delivered.rawBody.toString()));
      expect(() => verify(delivered, ANOTHER)).toThrow(refusal);

      const rotated = await admin('POST', `/webhooks/${endpoint.id}/rotate-secret`, { overlapSeconds: 3600 });
      const after = await deliver();
      for (const key of [secret, rotated.secret]) {
        expect(verify(after, key)).toEqual(JSON.parse(after.rawBody.toString()));
      }
      expect(() => verify(after, ANOTHER)).toThrow(refusal);

      await admin('POST', `/webhooks/${endpoint.id}/ping`);
      const ping = receiver.requests.at(-1)!;
      expect(verify(ping, rotated.secret)).toMatchObject({ type: 'integration.ping' });
    },
  );
}

test('the trace id that a receiver gets is in the log of the worker and in the log of the delivery', async () => {
  receiver.respond([500, 200]);
  const failed = await deliver();
  const { data } = await admin('GET', `/webhooks/${endpoint.id}/deliveries`);
  const path = `/webhooks/${endpoint.id}/deliveries/${data[0].id}`;
  await admin('POST', `${path}/retry`);
  const [, retried] = (await receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
  const sent = [failed, retried].map(({ headers }) => String(headers['traceparent']));
  const eventId = String(failed.headers['x-service-event-id']);
  for (const traceparent of sent) {
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(traceparent.slice(3, 35)).toBe(eventId.replaceAll('-', ''));
  }
  expect(sent[0]).not.toBe(sent[1]);
  for (const traceparent of sent) await worker.waitForOutput(`"traceparent":"${traceparent}"`);
  const { attemptLog } = (await admin('GET', path)).data;
  expect(attemptLog.map(({ traceparent }: { traceparent: string }) => traceparent)).toEqual(sent);
});
