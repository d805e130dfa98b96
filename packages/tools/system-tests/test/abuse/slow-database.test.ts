import { setTimeout as sleep } from 'node:timers/promises';
import { signSessionToken } from '@deal-signals/local-stack/demo/sign-session-token';
import { TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAttack } from '../../src/abuse/attacker.ts';
import { type AbuseScene, describeStatuses, openAbuseScene } from '../../src/abuse/scene.ts';

// When the database is slow, callers wait for its connections rather than for the CPU. Both tests have been seen to fail
// without the queue that they name.

const TIMEOUT_MS = 600_000;
/** The delay of each statement. The ten connections of the API then carry 200 statements a second. */
const DELAY_MS = 50;
/** A read takes 100 ms to a second. Without a queue, it waits for a connection until it is rejected after five seconds. */
const MAX_READ_MS = 2_500;
const PARALLEL_WRITES = 30;
const READ_PAUSE_MS = 10;

let scene: AbuseScene;

beforeAll(async () => {
  scene = await openAbuseScene(DELAY_MS);
}, TIMEOUT_MS);

afterAll(() => scene.close());

test(
  'a thousand different unknown keys at a time: the queue of unverified credentials',
  async () => {
    const { during } = await scene.compare('1,000 unknown keys, slow database', async () => {
      const token = `dsk_live_${'x'.repeat(33)}{n}`;
      const requests = [{ method: 'GET', path: '/api/v1/status', token }];
      const attacker = await startAttack({ kind: 'requests', port: scene.port, parallel: 1_000, requests });
      return async () => {
        const { statuses, closed } = await attacker.stop();
        return describeStatuses(statuses, closed);
      };
    });
    expect(during.failures).toEqual([]);
    expect(during.readsWorstMs).toBeLessThan(MAX_READ_MS);
  },
  TIMEOUT_MS,
);

test(
  'a workspace that writes 30 at a time and reads: the queue of writes',
  async () => {
    const token = signSessionToken(
      { userId: 7, companyId: COMPANY, permissions: ['integrations.crm'], ttlSeconds: 3600 },
      TEST_SECRETS.SESSION_JWT_SECRET,
    );
    const endpointId = await addEndpoint(scene.db, {
      url: 'https://receiver.example/',
      events: ['call.completed'],
    });
    const times: number[] = [];
    const failures: number[] = [];
    const { during } = await scene.compare(`${PARALLEL_WRITES} parallel writes, slow database`, async () => {
      const path = `/api/v1/webhooks/${endpointId}`;
      const requests = [true, false].map((enabled) => ({ method: 'PATCH', path, token, body: { enabled } }));
      const parallel = PARALLEL_WRITES;
      const attacker = await startAttack({ kind: 'requests', port: scene.port, parallel, requests });
      const stopping = new AbortController();
      const reading = (async () => {
        while (!stopping.signal.aborted) {
          const startMs = performance.now();
          const headers = { authorization: `Bearer ${scene.key}` };
          const { status } = await fetch(`${scene.api.baseUrl}/calls`, { headers });
          times.push(performance.now() - startMs);
          if (status !== 200) failures.push(status);
          await sleep(READ_PAUSE_MS);
        }
      })();
      return async () => {
        stopping.abort();
        await reading;
        const { statuses, closed } = await attacker.stop();
        const worst = Math.round(Math.max(...times));
        return `${describeStatuses(statuses, closed)}; its own reads ${worst} ms at most`;
      };
    });
    expect(during.failures).toEqual([]);
    expect(failures).toEqual([]);
    expect(Math.max(...times)).toBeLessThan(MAX_READ_MS);
  },
  TIMEOUT_MS,
);
