import { type Receiver, startReceiver } from '@deal-signals/test-kit/https-receiver';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addManyDeliveries } from '../../src/abuse/big-workspace.ts';
import { type AbuseScene, openAbuseScene } from '../../src/abuse/scene.ts';

const TIMEOUT_MS = 600_000;
const ENDPOINTS = 100;
const EVENTS = 1_000;
const HANGING = 5_000;
/**
 * How much longer a webhook of the bystander may take: it leaves with the next tick, whatever the others have waiting. The
 * rest is for a machine that is busy with the abuse itself.
 */
const WEBHOOK_RATIO = 10;

let scene: AbuseScene;
let receiver: Receiver;

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
    expect(during.failures).toEqual([]);
    expect(during.webhookWorstMs / without.webhookWorstMs).toBeLessThan(WEBHOOK_RATIO);
  },
  TIMEOUT_MS,
);

test(
  'a receiver that never responds',
  async () => {
    receiver.respond('hang');
    const endpointId = await addEndpoint(scene.db, { url: `${receiver.url}hang` });
    await addManyDeliveries(scene.db, endpointId, HANGING, 'due');
    const { during, without } = await scene.compare(
      `${HANGING.toLocaleString('en')} deliveries to a receiver that hangs`,
      async () => async () => `${receiver.requests.length} attempts`,
    );
    expect(during.failures).toEqual([]);
    expect(during.webhookWorstMs / without.webhookWorstMs).toBeLessThan(WEBHOOK_RATIO);
  },
  TIMEOUT_MS,
);
