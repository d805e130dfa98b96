import { timed } from '../measure/compare.ts';
import { quantile, type Row, summarizeRow, type Target } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';
import { WORKER_SETTINGS } from './deliveries.ts';
import { openDeliveryScene } from './delivery-scene.ts';

const RATES = [
  { perSecond: 50, p50: 8, p95: 15 },
  { perSecond: 200, p50: 15, p95: 40 },
];

/** Measures the time from each commit to the arrival of its delivery, while events are captured at a constant rate. */
export async function measureLatency({ stack, options, say }: BenchContext): Promise<Row[]> {
  const scene = await openDeliveryScene(stack, 'latency', { ...WORKER_SETTINGS, DISPATCH_WAKE: 'true' });
  const { companies } = scene;
  const rows: Row[] = [];
  try {
    await scene.setWorkers(1);
    say('latency: warming up');
    await scene.publish({ companies, count: options.warmUp, mode: { perSecond: RATES[1]!.perSecond } });
    for (const { perSecond, ...limits } of RATES) {
      const path = `${perSecond} captures a second, ${companies.length} workspaces`;
      const count = Math.round((perSecond * options.pacedMs) / 1_000);
      const captures: number[][] = [];
      const arrivals: number[][] = [];
      const failures: number[] = [];
      const cpuTimes: Row['cpuMs'][] = [];
      for (let round = 1; round <= options.rounds; round += 1) {
        say(`${path}: round ${round} of ${options.rounds}`);
        const { cpuMs } = await timed(scene.processes(), async () => {
          const { sent, receipts } = await scene.publish({ companies, count, mode: { perSecond } });
          captures.push(sent.durationsMs);
          failures.push(sent.failures.length);
          arrivals.push(
            receipts.map(({ body, atMs }) => {
              const { data } = JSON.parse(body) as { data: { metadata: { n: number } } };
              return atMs - (sent.committedMs.get(data.metadata.n) ?? Number.NaN);
            }),
          );
          return { units: receipts.length };
        });
        cpuTimes.push(cpuMs);
      }
      const row = (contestant: string, values: number[], ...targets: Target[]) =>
        summarizeRow({ group: 'latency', path, contestant, unit: 'ms', values, cpuTimes, targets });
      const p = (share: number, times: number[][]) => times.map((all) => quantile(all, share));
      rows.push(
        row('capture, p50', p(0.5, captures)),
        row('capture, p95', p(0.95, captures)),
        row('commit to receiver, p50', p(0.5, arrivals), ['value', '<', limits.p50]),
        row('commit to receiver, p95', p(0.95, arrivals), ['value', '<', limits.p95]),
        { ...row('failed', failures, ['value', '≤', 0]), unit: 'captures' },
      );
    }
  } finally {
    await scene.close();
  }
  return rows;
}
