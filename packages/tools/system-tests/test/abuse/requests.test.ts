import { setTimeout as sleep } from 'node:timers/promises';
import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { type Receiver, startReceiver } from '@deal-signals/test-kit/servers/https-receiver';
import { TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { captureEvents, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AttackReport } from '../../src/abuse/attacker-process.ts';
import { startAttack } from '../../src/abuse/attacker.ts';
import { addBigRoom, addManyDeliveries } from '../../src/abuse/big-workspace.ts';
import {
  type AbuseScene,
  type Comparison,
  describeStatuses,
  openAbuseScene,
  READS_RATIO,
} from '../../src/abuse/scene.ts';

const TIMEOUT_MS = 600_000;
const DEAD_LETTERS = 50_000;
/**
 * The maximum number of responses to a flood in ten seconds: 100 a second, and those that have waited for five seconds.
 * Without a delay of refusals, there are 20,000.
 */
const MAX_REFUSALS = 5_000;
const CAPTURED_AT_ONCE = 100;
const CAPTURE_PAUSE_MS = 100;

let scene: AbuseScene;
let receiver: Receiver;
let endpointId: number;
let token: string;

beforeAll(async () => {
  scene = await openAbuseScene();
  token = signSessionToken(
    { userId: 7, companyId: COMPANY, permissions: ['integrations.crm'], ttlSeconds: 3600 },
    TEST_SECRETS.SESSION_JWT_SECRET,
  );
  await addBigRoom(scene.db);
  receiver = await startReceiver();
  // Subscribed to events that no one captures here, so that only the abuser's requests cause deliveries.
  endpointId = await addEndpoint(scene.db, { url: receiver.url, events: ['call.completed'] });
  await addManyDeliveries(scene.db, { companyId: COMPANY, endpointId }, DEAD_LETTERS, 'dead');
}, TIMEOUT_MS);

afterAll(async () => {
  await scene.close();
  await receiver.close();
});

/** Expects what must hold during every abuse. */
function expectCalm({ during, readsRatio }: Comparison): void {
  expect(during.failures).toEqual([]);
  expect(readsRatio).toBeLessThanOrEqual(READS_RATIO);
}

interface Request {
  method: string;
  path: string;
  token: string;
  body?: unknown;
}

/** Sends the same request over many connections. */
async function flood(parallel: number, ...requests: Request[]): Promise<() => Promise<string>> {
  const prefixed = requests.map((request) => ({ ...request, path: `/api/v1${request.path}` }));
  const attacker = await startAttack({ kind: 'requests', port: scene.port, parallel, requests: prefixed });
  return async () => {
    const { statuses, closed }: AttackReport = await attacker.stop();
    return describeStatuses(statuses, closed);
  };
}

/** Captures events into the workspace of the abuser until it is stopped. */
function keepCapturing(): () => Promise<void> {
  const stopping = new AbortController();
  let count = 0;
  const capture = async () => {
    while (!stopping.signal.aborted) {
      await captureEvents(
        scene.db,
        Array.from({ length: CAPTURED_AT_ONCE }, () => `ping ${(count += 1)}`),
      );
      await sleep(CAPTURE_PAUSE_MS);
    }
  };
  const captures = capture();
  return () => {
    stopping.abort();
    return captures;
  };
}

const read = (path: string): Request => ({ method: 'GET', path, token: scene.key });

test(
  'metrics of a big room, 25 at a time',
  async () => {
    expectCalm(
      await scene.compare('25 parallel metrics of 200,000 events', () =>
        flood(25, read(`/decision-rooms/${ROOM}/metrics`)),
      ),
    );
  },
  TIMEOUT_MS,
);

test(
  'heat maps of a big recording, 20 at a time',
  async () => {
    expectCalm(
      await scene.compare('20 parallel heat-maps of 100,000 views', () =>
        flood(20, read(`/distributions/${LINK}/heatmap`)),
      ),
    );
  },
  TIMEOUT_MS,
);

test(
  'the largest pages, 25 at a time',
  async () => {
    expectCalm(
      await scene.compare('25 parallel pages of 500 events', () =>
        flood(25, read('/engagement/events?limit=500'), read('/engagement/views?limit=500')),
      ),
    );
  },
  TIMEOUT_MS,
);

test(
  'keys that do not exist, 1,000 at a time',
  async () => {
    const requests = Array.from({ length: 200 }, (_, n) => ({
      ...read('/status'),
      token: `dsk_live_${String(n).padStart(43, 'x')}`,
    }));
    const comparison = await scene.compare('1,000 parallel requests with invalid keys', () =>
      flood(1_000, ...requests),
    );
    expectCalm(comparison);
    // Refusals take little CPU time, however many callers there are.
    expect(Number(/(\d+) × 401/.exec(comparison.author)?.[1])).toBeLessThan(MAX_REFUSALS);
  },
  TIMEOUT_MS,
);

test(
  'test events, 30 at a time, while their workspace captures',
  async () => {
    const ping = { method: 'POST', path: `/webhooks/${endpointId}/ping`, token };
    expectCalm(await scene.compare('30 parallel pings during capture', () => flood(30, ping), keepCapturing));
  },
  TIMEOUT_MS,
);

test(
  'retries of dead letters, 20 at a time',
  async () => {
    const retry = { method: 'POST', path: `/webhooks/${endpointId}/retry-dead`, token, body: {} };
    expectCalm(await scene.compare('20 parallel retry-dead calls', () => flood(20, retry)));
  },
  TIMEOUT_MS,
);
