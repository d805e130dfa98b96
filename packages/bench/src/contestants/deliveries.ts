import os from 'node:os';
import type { BenchContext } from '../context.ts';
import { cpuPerUnit, readCpu } from '../measure/cpu.ts';
import {
  type Contestant,
  cpuOf,
  ratioOf,
  type Sample,
  type Samples,
  takeTurns,
  valuesOf,
} from '../measure/rounds.ts';
import type { Row, Target } from '../report/row.ts';
import { type DeliveryScene, ENDPOINTS, openDeliveryScene } from './delivery-scene.ts';

/**
 * Settings of the workers. The tick and the batch would otherwise set the pace, and so would the limits that keep one
 * endpoint or workspace from taking a worker from the others: here all of a worker is theirs.
 */
export const WORKER_SETTINGS = {
  DISPATCH_TICK_MS: '200',
  DISPATCH_BATCH: '500',
  DISPATCH_ENDPOINT_LIMIT: '1000',
  WORKER_CONCURRENCY: '100',
};

const EVENTS_PER_TRANSACTION = 100;
const LOOP = 'bare loop';
const NAIVE = `${ENDPOINTS} endpoints, naive worker`;
const TWENTY = `${ENDPOINTS} endpoints, 1 worker`;
const TWENTY_2 = `${ENDPOINTS} endpoints, 2 workers`;
const ONE = '1 endpoint, 1 worker';
const ONE_3 = '1 endpoint, 3 workers';
/** PostgreSQL, Redis, the publisher, the receiver and two workers: with fewer cores, the workers share them with the rest. */
const CORES_FOR_TWO_WORKERS = 6;

/** Measures deliveries a second, from the first publish to the last receipt. */
export async function measureDeliveries(context: BenchContext): Promise<Row[]> {
  const { options, say } = context;
  const scene = await openDeliveryScene(context, 'deliveries');
  const one = scene.companies.slice(0, 1);
  const half = Math.ceil(options.deliveries / 2);
  const contestants: Contestant[] = [
    { name: NAIVE, run: () => deliverNaively(scene, scene.companies, Math.ceil(half / 2)) },
    { name: LOOP, run: () => sendBare(scene, options.deliveries) },
    { name: ONE, run: () => deliverBy(1, one, half) },
    { name: TWENTY, run: () => deliverBy(1, scene.companies, options.deliveries) },
    { name: TWENTY_2, run: () => deliverBy(2, scene.companies, options.deliveries) },
    { name: ONE_3, run: () => deliverBy(3, one, half) },
  ];
  async function deliverBy(workers: number, companies: number[], count: number): Promise<Sample> {
    const started = await scene.setWorkers(workers, WORKER_SETTINGS);
    // New workers share the warm-up with those that are warm already.
    if (started > 0) await deliver(scene, scene.companies, workers * options.warmUp);
    return deliver(scene, companies, count);
  }
  try {
    say('deliveries: warming up');
    await sendBare(scene, options.warmUp);
    await deliverNaively(scene, scene.companies, Math.ceil(half / 2));
    const samples = await takeTurns(contestants, options.deliveryRounds, (round) =>
      say(`deliveries: round ${round} of ${options.deliveryRounds}`),
    );
    return rowsOf(samples);
  } finally {
    await scene.close();
  }
}

let publications = 0;

/** Captures events and waits for their deliveries by the workers of the scene. */
export async function deliver(scene: DeliveryScene, companies: number[], count: number): Promise<Sample> {
  const since = await scene.now();
  const processes = scene.processes();
  const before = readCpu(processes);
  const { startedAtMs } = await scene.publisher.ask({
    name: `publication ${(publications += 1)}`,
    companies,
    count,
    pace: { perTransaction: EVENTS_PER_TRANSACTION },
  });
  const receipts = await scene.collect(since, count);
  return sampleOf(receipts, startedAtMs, cpuPerUnit(before, readCpu(processes), count));
}

async function deliverNaively(scene: DeliveryScene, companies: number[], count: number): Promise<Sample> {
  await scene.setWorkers(0, WORKER_SETTINGS);
  const since = await scene.now();
  const processes = { ...scene.processes(), naive: scene.naive.pid };
  const before = readCpu(processes);
  const delivering = scene.naive.ask({ count });
  const { startedAtMs } = await scene.publisher.ask({
    name: `publication ${(publications += 1)}`,
    companies,
    count,
    pace: { perTransaction: EVENTS_PER_TRANSACTION },
  });
  await delivering;
  const receipts = await scene.collect(since, count);
  return sampleOf(receipts, startedAtMs, cpuPerUnit(before, readCpu(processes), count));
}

async function sendBare(scene: DeliveryScene, count: number): Promise<Sample> {
  const sent = scene.bareDeliveries(scene.companies, count);
  const processes = { loop: scene.sender.pid, receiver: scene.receiver.pid };
  const before = readCpu(processes);
  const { startedAtMs } = await scene.sender.ask(sent);
  const receipts = await scene.collectBare(sent);
  return sampleOf(receipts, startedAtMs, cpuPerUnit(before, readCpu(processes), count));
}

function sampleOf(
  receipts: readonly { atMs: number }[],
  startedAtMs: number,
  cpuMs: Sample['cpuMs'],
): Sample {
  const lastMs = receipts.reduce((last, { atMs }) => Math.max(last, atMs), 0);
  return { value: (receipts.length * 1_000) / (lastMs - startedAtMs), cpuMs };
}

function rowsOf(samples: Samples): Row[] {
  const row = (contestant: string, to: string | null, targets: Target[], notes: string[] = []): Row => ({
    group: 'deliveries',
    path: 'deliveries of 1 KB',
    contestant,
    unit: 'deliveries/s',
    value: valuesOf(samples, contestant),
    cpuMs: cpuOf(samples, contestant),
    ...(to !== null && { ratio: { ...ratioOf(samples, contestant, to), to } }),
    targets,
    notes,
  });
  const cores = os.availableParallelism();
  const areCoresFree = cores >= CORES_FOR_TWO_WORKERS;
  const shared = [
    `The cores are not free: ${cores} cores carry the workers, PostgreSQL, Redis, the publisher and the receiver.`,
  ];
  return [
    row(LOOP, null, []),
    row(TWENTY, LOOP, [
      { of: 'ratio', atLeast: 0.6 },
      { of: 'cpu', atMost: 1.2 },
    ]),
    row(NAIVE, TWENTY, [{ of: 'ratio', atMost: 1 / 3 }]),
    row(ONE, TWENTY, [{ of: 'ratio', atLeast: 0.9 }]),
    row(ONE_3, ONE, [{ of: 'ratio', atLeast: 1 }]),
    row(TWENTY_2, TWENTY, areCoresFree ? [{ of: 'ratio', atLeast: 1.6 }] : [], areCoresFree ? [] : shared),
  ];
}
