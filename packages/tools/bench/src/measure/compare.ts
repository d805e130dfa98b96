import { type CpuTimes, cpuPerUnit, type Processes, readCpu } from './cpu.ts';
import { type Row, rowOf, type Target } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';

/** The result of one contestant's turn. */
export interface Sample {
  /** The number of responses, deliveries or captures, and how long they took. */
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
  /** Turns of each contestant before measuring starts; 1 by default. */
  warmUpTurns?: number;
}

/** Milliseconds of a monotonic clock that all processes of this machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Measures one turn: its elapsed time, unless the work reports its own, and the CPU time of the processes. */
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
 * Lets the contestants take turns, A B B A A B, so that other load on the machine affects all of them, and compares them round by
 * round. The order is reversed every round, because the first contestant of a round may find other caches than the last.
 */
export async function compare(
  { print }: Pick<BenchContext, 'print'>,
  comparison: Comparison,
): Promise<Row[]> {
  const { group, path, unit, isCost, contestants, rounds, warmUpTurns = 1 } = comparison;
  print(`${path}: warming up`);
  for (let turn = 1; turn <= warmUpTurns; turn += 1) for (const { run } of contestants) await run();
  const samples = new Map(contestants.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    print(`${path}: round ${round} of ${rounds}`);
    for (const { name, run } of round % 2 === 1 ? contestants : contestants.toReversed()) {
      samples.get(name)?.push(await run());
    }
  }
  const valuesOf = (name: string) =>
    (samples.get(name) ?? []).map(({ units, ms }) => (isCost === true ? ms / units : (units * 1_000) / ms));
  return contestants.map(({ name, to, targets, notes }) => {
    const values = valuesOf(name);
    const others = to === undefined ? [] : valuesOf(to);
    return rowOf({
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

/** Compares the cost of the same work at a small and a large size, with a maximum ratio between them. */
export function compareSizes(
  context: Pick<BenchContext, 'print' | 'options'>,
  what: Pick<Row, 'group' | 'path' | 'unit'>,
  few: Contestant,
  many: Contestant,
  atMost: number,
): Promise<Row[]> {
  const contestants: Contestant[] = [few, { ...many, to: few.name, targets: [['ratio', '≤', atMost]] }];
  const { rounds } = context.options;
  return compare(context, { ...what, isCost: true, contestants, rounds, warmUpTurns: 2 });
}
