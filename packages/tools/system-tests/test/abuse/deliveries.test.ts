import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { sendRecords } from '@deal-signals/test-kit/capture-sender';
import { addAlertChannel } from '@deal-signals/test-kit/worlds/alert-channels';
import { captureEvents, LINK } from '@deal-signals/test-kit/worlds/captured';
import { addDeliveries, addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addManyDeliveries } from '../../src/abuse/big-workspace.ts';
import { type AbuseScene, openAbuseScene, READS_RATIO } from '../../src/abuse/scene.ts';

const TIMEOUT_MS = 600_000;
const ENDPOINTS = 100;
const EVENTS = 1_000;
const HANGING_ENDPOINTS = 100;
const DELIVERIES_EACH = 50;
const FILTERED_ENDPOINTS = 20;
const SEARCHED_EVENTS = 100;
const CHANNELS = 5;
const FAILING_ENDPOINTS = 20;
/**
 * The maximum ratio of the bystander's webhook times. A webhook leaves with the next tick, after the deliveries of other
 * workspaces that are in progress. Without their limits it waited for minutes.
 */
const WEBHOOK_RATIO = 30;

let scene: AbuseScene;
let receiver: Receiver;
/** How long a webhook of the bystander takes without an abuse. */
let calmWebhookMs: number;

beforeAll(async () => {
  [scene, receiver] = await Promise.all([openAbuseScene(), startReceiver()]);
}, TIMEOUT_MS);

afterAll(async () => {
  await scene.close();
  await receiver.close();
});

test(
  'a workspace with a hundred endpoints captures a thousand events',
  async () => {
    for (let n = 0; n < ENDPOINTS; n += 1) await addEndpoint(scene.db, { url: `${receiver.url}${n}` });
    let captured = 0;
    const { during, without } = await scene.compare(
      `${(ENDPOINTS * EVENTS).toLocaleString('en')} deliveries of one workspace`,
      async () => {
        await captureEvents(
          scene.db,
          Array.from({ length: EVENTS }, () => `flood ${(captured += 1)}`),
        );
        return async () => `${receiver.requests.length} delivered`;
      },
    );
    calmWebhookMs = without.webhookWorstMs;
    expect(during.failures).toEqual([]);
    expect(during.webhookWorstMs / without.webhookWorstMs).toBeLessThan(WEBHOOK_RATIO);
  },
  TIMEOUT_MS,
);

test(
  'a workspace whose receivers never respond',
  async () => {
    const hanging = await startReceiver({ respond: 'hang' });
    const companyId = 3;
    await addCompany(scene.db, companyId);
    try {
      for (let n = 0; n < HANGING_ENDPOINTS; n += 1) {
        const endpointId = await addEndpoint(scene.db, { companyId, url: `${hanging.url}${n}` });
        await addManyDeliveries(scene.db, { companyId, endpointId }, DELIVERIES_EACH, 'due');
      }
      const { during, without } = await scene.compare(
        `${HANGING_ENDPOINTS} receivers that hang`,
        async () => async () => `${hanging.requests.length} attempts`,
      );
      expect(during.failures).toEqual([]);
      // The receivers hang during the calm phase too, so the result is compared with that of the first test.
      expect(without.webhookWorstMs).toBeLessThan(WEBHOOK_RATIO * calmWebhookMs);
      expect(during.webhookWorstMs).toBeLessThan(WEBHOOK_RATIO * calmWebhookMs);
    } finally {
      await hanging.close();
    }
  },
  TIMEOUT_MS,
);

test(
  'a workspace with the largest filters on twenty endpoints',
  async () => {
    await scene.db.webhookEndpoint.updateMany({
      where: { companyId: COMPANY },
      data: { enabled: false },
    });
    // Each of the 32 conditions searches the longest text that an event may have.
    const filter = {
      $or: Array.from({ length: 32 }, (_, n) => ({ metadata: { text: { $in: `no such text ${n}` } } })),
    };
    for (let n = 0; n < FILTERED_ENDPOINTS; n += 1) {
      await addEndpoint(scene.db, { url: `${receiver.url}filtered`, filter });
    }
    let captured = 0;
    // The API evaluates the filters in the process that serves the bystander.
    const { readsRatio, during } = await scene.compare(
      `${FILTERED_ENDPOINTS} filters of 32 searches`,
      async () => {
        const stopping = new AbortController();
        const capturing = (async () => {
          while (!stopping.signal.aborted) {
            const { lines } = await sendRecords(scene.captureUrl, searchedEvents(captured));
            expect(lines.at(-1)).toMatchObject({ done: true, captured: SEARCHED_EVENTS });
            captured += SEARCHED_EVENTS;
          }
        })();
        return async () => {
          stopping.abort();
          await capturing;
          return `${captured} events captured`;
        };
      },
    );
    expect(captured).toBeGreaterThan(0);
    expect(during.failures).toEqual([]);
    expect(readsRatio).toBeLessThan(READS_RATIO);
    expect(during.webhookWorstMs).toBeLessThan(WEBHOOK_RATIO * calmWebhookMs);
  },
  TIMEOUT_MS,
);

/** Returns records of events with the longest text that a filter can search. */
function searchedEvents(first: number): string {
  const text = 'no such '.repeat(2_000);
  return Array.from({ length: SEARCHED_EVENTS }, (_, n) =>
    JSON.stringify({
      record: 'event',
      companyId: COMPANY,
      key: `filtered ${first + n}`,
      type: 'trailer_view',
      occurredAt: '2026-09-01T12:00:00Z',
      distributionId: LINK,
      metadata: { text },
    }),
  )
    .map((line) => `${line}\n`)
    .join('');
}

test(
  'a workspace whose alert channels never respond',
  async () => {
    const [failing, hanging] = await Promise.all([
      startReceiver({ respond: 500 }),
      startReceiver({ respond: 'hang' }),
    ]);
    const companyId = 4;
    await addCompany(scene.db, companyId);
    for (let n = 0; n < CHANNELS; n += 1)
      await addAlertChannel(scene.db, { companyId, url: `${hanging.url}${n}` });
    try {
      const { during } = await scene.compare(`${CHANNELS} alert channels that hang`, async () => {
        for (let n = 0; n < FAILING_ENDPOINTS; n += 1) {
          const fields = { companyId, url: `${failing.url}${n}`, consecutiveFailures: 9 };
          await addDeliveries(scene.db, await addEndpoint(scene.db, fields), 1, { companyId });
        }
        return async () => `${hanging.requests.length} messages`;
      });
      expect(during.failures).toEqual([]);
      expect(hanging.requests.length).toBeGreaterThanOrEqual(CHANNELS);
      expect(during.webhookWorstMs).toBeLessThan(WEBHOOK_RATIO * calmWebhookMs);
    } finally {
      await Promise.all([failing.close(), hanging.close()]);
    }
  },
  TIMEOUT_MS,
);
