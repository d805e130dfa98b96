import { type CpuTimes, cpuPerUnit, type Processes, readCpu } from './cpu.ts';
import { type Row, rowOf, type Target } from '../report.ts';
import type { BenchContext } from '../stack/bench-stack.ts';

/** What one contestant did in one turn. */
export interface Sample {
  /** Responses, deliveries or captures, and how long they took. */
  units: number;
  ms: number;
  /** CPU milliseconds for each unit, by process. Empty where they cannot be read. */
  cpuMs: CpuTimes;
}

/** One way to do the work that is measured. */
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
  /** Turns of each contestant that are not measured; 1 by default. */
  warmUpTurns?: number;
}

/** Milliseconds of a clock that never steps and that all processes of this machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Measures the work of one turn, by the clock unless it says how long it took, and by the CPU time of the processes. */
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
 * Lets the contestants take turns, A B B A A B, so that other work of the machine affects all of them, and compares them round by
 * round. The order turns round with every round, because the first of a round may find other caches than the last.
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

/** Compares the cost of the same work on something small and on something large, which may cost so many times as much. */
export function compareSizes(
  context: Pick<BenchContext, 'say' | 'options'>,
  what: Pick<Row, 'group' | 'path' | 'unit'>,
  few: Contestant,
  many: Contestant,
  atMost: number,
): Promise<Row[]> {
  const contestants: Contestant[] = [few, { ...many, to: few.name, targets: [['ratio', '≤', atMost]] }];
  const { rounds } = context.options;
  return compare(context, { ...what, isCost: true, contestants, rounds, warmUpTurns: 2 });
}
