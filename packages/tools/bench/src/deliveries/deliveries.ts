import os from 'node:os';
import { compare, type Contestant, type Sample, timed } from '../measure/compare.ts';
import type { Row } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';
import { type Delivered, ENDPOINTS, openDeliveryScene } from './delivery-scene.ts';

/**
 * Settings of the workers. The defaults for the tick, the batch, and the limits of an endpoint and a workspace would
 * otherwise cap the throughput. Here one endpoint may use a whole worker.
 */
export const WORKER_SETTINGS = {
  DISPATCH_TICK_MS: '200',
  DISPATCH_BATCH: '500',
  DISPATCH_ENDPOINT_LIMIT: '1000',
  WORKER_CONCURRENCY: '100',
};

const EVENTS_PER_TRANSACTION = 100;
/**
 * For PostgreSQL, Redis, the publisher, the receiver and two workers. With fewer cores, the workers share them with the
 * others.
 */
const CORES_FOR_TWO_WORKERS = 6;
const LOOP = 'bare loop';
const ONE = '1 endpoint, 1 worker';
const TWENTY = `${ENDPOINTS} endpoints, 1 worker`;

/** Measures deliveries per second from the first publish to the last receipt. */
export async function measureDeliveries(context: BenchContext): Promise<Row[]> {
  const { stack, options } = context;
  const scene = await openDeliveryScene(stack, 'deliveries', WORKER_SETTINGS);
  const mode = { perTransaction: EVENTS_PER_TRANSACTION };

  const deliverBy = (workers: number, endpoints: number, count: number) => async (): Promise<Sample> => {
    const started = await scene.setWorkers(workers);
    // New workers share the warm-up with those that are already warm.
    if (started > 0)
      await scene.publish({ companies: scene.companies, count: workers * options.warmUp, mode });
    const companies = scene.companies.slice(0, endpoints);
    return timed(scene.processes(), async () => untilLast(await scene.publish({ companies, count, mode })));
  };

  const half = Math.ceil(options.deliveries / 2);
  const cores = os.availableParallelism();
  const contestants: Contestant[] = [
    {
      name: LOOP,
      run: () => timed(scene.bareProcesses, async () => untilLast(await scene.sendBare(options.deliveries))),
    },
    {
      name: TWENTY,
      run: deliverBy(1, ENDPOINTS, options.deliveries),
      to: LOOP,
      targets: [
        ['ratio', '≥', 0.6],
        ['cpu', '≤', 1.2],
      ],
    },
    { name: ONE, run: deliverBy(1, 1, half), to: TWENTY, targets: [['ratio', '≥', 0.9]] },
    {
      name: '1 endpoint, 3 workers',
      run: deliverBy(3, 1, half),
      to: ONE,
      targets: [['ratio', '≥', 1]],
    },
    {
      name: `${ENDPOINTS} endpoints, 2 workers`,
      run: deliverBy(2, ENDPOINTS, options.deliveries),
      to: TWENTY,
      ...(cores >= CORES_FOR_TWO_WORKERS
        ? { targets: [['ratio', '≥', 1.6]] }
        : { notes: [`All of these processes share ${cores} cores.`] }),
    },
  ];
  try {
    await scene.sendBare(options.warmUp);
    const { rounds } = options;
    const comparison = { group: 'deliveries', path: 'deliveries of 1 KB', unit: 'deliveries/s', rounds };
    return await compare(context, { ...comparison, contestants });
  } finally {
    await scene.close();
  }
}

function untilLast({ sent, receipts }: Delivered<{ startedMs: number }>): { units: number; ms: number } {
  const lastMs = receipts.reduce((last, { atMs }) => Math.max(last, atMs), 0);
  return { units: receipts.length, ms: lastMs - sent.startedMs };
}
