import { type CpuTimes, cpuPerUnit, type Processes, readCpu } from './cpu.ts';
import { type Row, summarizeRow, type Target } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';

/** The result of one turn of one contestant. */
export interface Sample {
  /** Responses, deliveries or captures, and how long they took. */
  units: number;
  ms: number;
  /** CPU milliseconds per unit, by process. Empty where they cannot be read. */
  cpuMs: CpuTimes;
}

/** One way to do the measured work. */
export interface Contestant {
  name: string;
  run: () => Promise<Sample>;
  /** The contestant that this one is compared with. */
  to?: string;
  targets?: Target[];
  notes?: string[];
}

/** Contestants that do the same work. */
export interface Comparison extends Pick<Row, 'group' | 'path' | 'unit' | 'isCost'> {
  contestants: readonly Contestant[];
  rounds: number;
  /** Warm-up turns of each contestant, which are not measured. 1 by default. */
  warmUpTurns?: number;
}

/** Returns the milliseconds of a clock that never steps and that all processes of this machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Measures one turn: its CPU time by process, and its duration by the clock, unless the work returns a duration. */
export async function timed(
  processes: Processes,
  work: () => Promise<{ units: number; ms?: number }>,
): Promise<Sample> {
  const before = readCpu(processes);
  const startedMs = monotonicMs();
  const { units, ms = monotonicMs() - startedMs } = await work();
  return { units, ms, cpuMs: cpuPerUnit(before, readCpu(processes), units) };
}

/**
 * Compares contestants round by round. They take turns in the order A B B A A B, so that other load on the machine affects
 * all of them. Each round reverses the order, because the first contestant of a round may find other caches than the last.
 */
export async function compare({ say }: Pick<BenchContext, 'say'>, comparison: Comparison): Promise<Row[]> {
  const { group, path, unit, isCost, contestants, rounds, warmUpTurns = 1 } = comparison;
  say(`${path}: warming up`);
  for (let turn = 1; turn <= warmUpTurns; turn += 1) for (const { run } of contestants) await run();
  const samples = new Map(contestants.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    say(`${path}: round ${round} of ${rounds}`);
    for (const { name, run } of round % 2 === 1 ? contestants : contestants.toReversed()) {
      samples.get(name)?.push(await run());
    }
  }
  const valuesOf = (name: string) =>
    (samples.get(name) ?? []).map(({ units, ms }) => (isCost === true ? ms / units : (units * 1_000) / ms));
  return contestants.map(({ name, to, targets, notes }) => {
    const values = valuesOf(name);
    const others = to === undefined ? [] : valuesOf(to);
    return summarizeRow({
      group,
      path,
      unit,
      contestant: name,
      values,
      ...(isCost && { isCost }),
      cpuTimes: (samples.get(name) ?? []).map(({ cpuMs }) => cpuMs),
      ...(to !== undefined && { ratios: { to, values: values.map((value, n) => value / others[n]!) } }),
      ...(targets && { targets }),
      ...(notes && { notes }),
    });
  });
}

/** Compares the cost of the same work on small and on large data, up to a maximum ratio. */
export function compareSizes(
  context: Pick<BenchContext, 'say' | 'options'>,
  what: Pick<Row, 'group' | 'path' | 'unit'>,
  few: Contestant,
  many: Contestant,
  maxRatio: number,
): Promise<Row[]> {
  const contestants: Contestant[] = [few, { ...many, to: few.name, targets: [['ratio', '≤', maxRatio]] }];
  const { rounds } = context.options;
  return compare(context, { ...what, isCost: true, contestants, rounds, warmUpTurns: 2 });
}
