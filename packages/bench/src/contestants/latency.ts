import type { BenchContext } from '../context.ts';
import { cpuPerUnit, type CpuTimes, readCpu } from '../measure/cpu.ts';
import { quantile, spreadOf } from '../measure/spread.ts';
import type { Row } from '../report/row.ts';
import { WORKER_SETTINGS } from './deliveries.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.ts';

const PACES = [
  { perSecond: 50, p50: 8, p95: 15 },
  { perSecond: 200, p50: 15, p95: 40 },
];

/** The latencies of one turn. */
interface Turn {
  p50: number;
  p95: number;
  cpuMs: CpuTimes;
  /** Captures that failed. */
  failures: number;
}

/** Measures the time from a commit to the arrival of its delivery, with a dispatcher that commits wake. */
export async function measureLatency(context: BenchContext): Promise<Row[]> {
  const { options, say } = context;
  const scene = await openDeliveryScene(context, 'latency');
  const turns = new Map(PACES.map(({ perSecond }): [number, Turn[]] => [perSecond, []]));
  try {
    await scene.setWorkers(1, { ...WORKER_SETTINGS, DISPATCH_WAKE: 'true' });
    say('latency: warming up');
    const { perSecond: warmUpPace } = PACES[1]!;
    await measureTurn(scene, warmUpPace, (options.warmUp * 1_000) / warmUpPace);
    for (let round = 1; round <= options.deliveryRounds; round += 1) {
      say(`latency: round ${round} of ${options.deliveryRounds}`);
      for (const { perSecond } of PACES) {
        turns.get(perSecond)?.push(await measureTurn(scene, perSecond, options.latencyMs));
      }
    }
  } finally {
    await scene.close();
  }
  return PACES.flatMap(({ perSecond, p50, p95 }) =>
    rowsOf(perSecond, turns.get(perSecond) ?? [], { p50, p95 }),
  );
}

let publications = 0;

async function measureTurn(scene: DeliveryScene, perSecond: number, durationMs: number): Promise<Turn> {
  const since = await scene.now();
  const processes = scene.processes();
  const before = readCpu(processes);
  const { committedAtMs, failures } = await scene.publisher.ask({
    name: `latency ${(publications += 1)}`,
    companies: scene.companies,
    count: Math.round((perSecond * durationMs) / 1_000),
    pace: { perSecond },
  });
  const receipts = await scene.collect(since, committedAtMs.size);
  const cpuMs = cpuPerUnit(before, readCpu(processes), committedAtMs.size);
  const latenciesMs = receipts.map(({ body, atMs }) => {
    const { data } = JSON.parse(body) as { data: { metadata: { n: number } } };
    return atMs - (committedAtMs.get(data.metadata.n) ?? Number.NaN);
  });
  return {
    p50: quantile(latenciesMs, 0.5),
    p95: quantile(latenciesMs, 0.95),
    cpuMs,
    failures: failures.length,
  };
}

function rowsOf(perSecond: number, turns: readonly Turn[], limits: { p50: number; p95: number }): Row[] {
  const failures = turns.reduce((total, turn) => total + turn.failures, 0);
  return (['p50', 'p95'] as const).map((share) => ({
    group: 'latency',
    path: `commit to receiver at ${perSecond} a second, 20 workspaces`,
    contestant: `woken by the commit, ${share}`,
    unit: 'ms',
    value: spreadOf(turns.map((turn) => turn[share])),
    cpuMs: share === 'p50' ? (turns.at(-1)?.cpuMs ?? {}) : {},
    targets: [{ of: 'value', below: limits[share] }],
    notes: failures === 0 ? [] : [`${failures} captures failed; only those that were committed are counted.`],
  }));
}
