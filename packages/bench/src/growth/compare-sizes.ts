import type { BenchContext } from '../context.ts';
import { type Contestant, cpuOf, ratioOf, takeTurns, valuesOf } from '../measure/rounds.ts';
import type { Row } from '../report/row.ts';

/** The same work on something small and on something large. */
export interface Comparison {
  /** The option of `--only` that runs it. */
  group: string;
  path: string;
  /** What the values count: the time or another cost of one unit of work. */
  unit: string;
  few: Contestant;
  many: Contestant;
  /** How many times the cost of the small one the large one may cost. */
  atMost: number;
  notes?: string[];
}

/** What is compiled, read into caches and planned once is not what is compared. */
const WARM_UP_TURNS = 2;

/** Lets the two take turns, and compares them round by round. */
export async function compareSizes({ options, say }: BenchContext, comparison: Comparison): Promise<Row[]> {
  const { path, few, many } = comparison;
  const { rounds } = options.growth;
  say(`${path}: warming up`);
  for (let turn = 1; turn <= WARM_UP_TURNS; turn += 1) for (const { run } of [few, many]) await run();
  const samples = await takeTurns([few, many], rounds, (round) =>
    say(`${path}: round ${round} of ${rounds}`),
  );
  return [few, many].map(({ name }) => ({
    ...costRow(comparison, name),
    value: valuesOf(samples, name),
    cpuMs: cpuOf(samples, name),
    ...(name === many.name && { ratio: { ...ratioOf(samples, name, few.name), to: few.name } }),
    targets: name === many.name ? [{ of: 'ratio', atMost: comparison.atMost }] : [],
  }));
}

/** What the rows of a comparison have in common. */
export function costRow(
  { group, path, unit, notes = [] }: Pick<Comparison, 'group' | 'path' | 'unit' | 'notes'>,
  contestant: string,
): Pick<Row, 'group' | 'path' | 'contestant' | 'unit' | 'isCost' | 'notes'> {
  return { group, path, contestant, unit, isCost: true, notes };
}
