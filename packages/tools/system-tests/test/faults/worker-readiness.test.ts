import type { RunningApp } from '@deal-signals/test-kit/processes';
import type { TcpProxy } from '@deal-signals/test-kit/servers/tcp-proxy';
import { until } from '@deal-signals/test-kit/until';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Breakpoint, holdClaims } from '../../src/faults/breakpoint.ts';
import { balance, inFlightDuring } from '../../src/faults/ledger.ts';
import type { Load } from '../../src/faults/load.ts';
import { openScene, type Scene } from '../../src/faults/scene.ts';

// A worker that cannot work reports that on its port and in its log until the problem is over. Then it continues by itself.

let scene: Scene;
let load: Load;
let worker: RunningApp;
let readyUrl: string;
let database: TcpProxy;
let claims: Breakpoint;
beforeEach(async () => {
  scene = await openScene();
  database = await scene.startProxy(scene.databaseUrl);
  load = scene.startLoad();
  worker = await scene.startWorker({ DATABASE_URL: database.url });
  readyUrl = `${worker.url}/readyz`;
  await untilReady();
  await scene.receiver.untilArrived(10);
});
afterEach(() => scene.close());

const untilReady = () => until('the worker to be ready', async () => (await fetch(readyUrl)).status === 200);

/** On a slow machine the worker may report another problem first. */
const untilUnready = (word: string) =>
  until(`the worker to report ${word}`, async () => {
    const response = await fetch(readyUrl);
    const { failing = [] } = (await response.json()) as { failing?: string[] };
    return response.status === 503 && failing.includes(word);
  });

interface Problem {
  name: string;
  /** The reason in the worker's readiness response. */
  word: string;
  begin: () => Promise<unknown>;
  /** Whether outcomes cannot be recorded during the problem, so that attempts in flight may be repeated. */
  stopsRecording: boolean;
  end: () => Promise<unknown>;
}

const problems: Problem[] = [
  {
    name: 'Redis is away',
    word: 'redis',
    begin: () => scene.redis.stop(),
    stopsRecording: false,
    end: () => scene.redis.startEmpty(),
  },
  {
    name: 'PostgreSQL is away',
    word: 'database',
    begin: () => database.cut(),
    stopsRecording: true,
    end: () => database.restore(),
  },
  {
    name: 'Redis refuses writes',
    word: 'redis-writes',
    begin: () => scene.redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    stopsRecording: false,
    end: () => scene.redis.command('CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    name: 'no tick is completed',
    word: 'ticks',
    begin: async () => {
      claims = await holdClaims(scene);
    },
    stopsRecording: false,
    end: () => claims.release(),
  },
];

test.each(problems)(
  '$name: the worker is not ready, and then ready again',
  async ({ name, word, begin, stopsRecording, end }) => {
    const inFlight = await inFlightDuring(scene, async () => {
      await begin();
      await untilUnready(word);
    });
    expect(worker.output()).toContain('"message":"worker not ready"');
    expect((await fetch(readyUrl.replace('readyz', 'healthz'))).status).toBe(200);
    await end();
    scene.faultOver();
    await untilReady();
    await worker.waitForOutput('"message":"worker ready again"');
    const before = scene.receiver.arrivals.length;
    await scene.receiver.untilArrived(before + 10);
    const row = await balance(scene, {
      name: `worker not ready: ${name}`,
      expected: await load.stop(),
      allowed: stopsRecording ? inFlight : 0,
    });
    expect(row).toMatchObject({ lost: 0, delivered: row.expected, exitCodes: [0] });
    expect(row.duplicates).toBeLessThanOrEqual(row.allowed);
  },
);
