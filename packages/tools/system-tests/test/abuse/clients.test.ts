import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAttack } from '../../src/abuse/attacker.ts';
import type { Attack } from '../../src/abuse/attacker-process.ts';
import { addBigRoom } from '../../src/abuse/big-workspace.ts';
import { type AbuseScene, describeStatuses, openAbuseScene, READS_RATIO } from '../../src/abuse/scene.ts';

const TIMEOUT_MS = 600_000;
const CONNECTIONS = 500;
/** The memory that the API may need for such clients, in MiB. Each holds a page of a few hundred KiB until its timeout. */
const MEMORY_GROWTH = 300;

let scene: AbuseScene;

beforeAll(async () => {
  scene = await openAbuseScene();
  await addBigRoom(scene.db);
}, TIMEOUT_MS);

afterAll(() => scene.close());

const begin = (attack: Attack) => async () => {
  const attacker = await startAttack(attack);
  return async () => {
    const { statuses, closed } = await attacker.stop();
    return describeStatuses(statuses, closed);
  };
};

test(
  'clients that never read their responses',
  async () => {
    const { during, without, readsRatio } = await scene.compare(
      `${CONNECTIONS} clients that never read`,
      begin({
        kind: 'unread',
        port: scene.port,
        connections: CONNECTIONS,
        path: '/api/v1/engagement/events?limit=500',
        token: scene.key,
        pipelined: 1,
      }),
    );
    expect(during.failures).toEqual([]);
    expect(readsRatio).toBeLessThanOrEqual(READS_RATIO);
    expect(during.apiMemory - without.apiMemory).toBeLessThan(MEMORY_GROWTH);
  },
  TIMEOUT_MS,
);

test(
  'clients that send their headers byte by byte',
  async () => {
    const { during, readsRatio } = await scene.compare(
      `${CONNECTIONS} clients that send slowly`,
      begin({ kind: 'slow headers', port: scene.port, connections: CONNECTIONS }),
    );
    expect(during.failures).toEqual([]);
    expect(readsRatio).toBeLessThanOrEqual(READS_RATIO);
  },
  TIMEOUT_MS,
);
