import type { CpuTimes } from './cpu.ts';
import { quantile, type Spread, spreadOf } from './spread.ts';

/** What one contestant did in one round. */
export interface Sample {
  /** The measurement, in the unit of its row. */
  value: number;
  /** CPU milliseconds for each unit of work, by process. Empty where they cannot be read. */
  cpuMs: CpuTimes;
}

/** One way to do the work that is measured. */
export interface Contestant {
  name: string;
  run: () => Promise<Sample>;
}

/** The samples of each contestant, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/**
 * Lets the contestants take turns, A B A B, so that whatever else the machine does hits all of them. The order turns round
 * with every round, because the first of a round may find other caches than the last.
 */
export async function takeTurns(
  contestants: readonly Contestant[],
  rounds: number,
  onRound: (round: number) => void = () => {},
): Promise<Samples> {
  const samples = new Map(contestants.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    onRound(round);
    for (const { name, run } of round % 2 === 1 ? contestants : contestants.toReversed()) {
      samples.get(name)?.push(await run());
    }
  }
  return samples;
}

/** The measurements of a contestant. */
export function valuesOf(samples: Samples, name: string): Spread {
  return spreadOf((samples.get(name) ?? []).map(({ value }) => value));
}

/** The ratio of two contestants, compared round by round. */
export function ratioOf(samples: Samples, name: string, base: string): Spread {
  const others = samples.get(base) ?? [];
  return spreadOf((samples.get(name) ?? []).map(({ value }, n) => value / (others[n]?.value ?? Number.NaN)));
}

/** The median CPU time of each process of a contestant. */
export function cpuOf(samples: Samples, name: string): CpuTimes {
  const own = samples.get(name) ?? [];
  const processes = new Set(own.flatMap(({ cpuMs }) => Object.keys(cpuMs)));
  return Object.fromEntries(
    [...processes].map((process) => [
      process,
      quantile(
        own.map(({ cpuMs }) => cpuMs[process] ?? 0),
        0.5,
      ),
    ]),
  );
}
