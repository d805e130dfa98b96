import { parseArgs } from 'node:util';

/** The parts of the bench in the order in which they run. `--growth` runs those that compare a large size with a small one. */
export const GROUPS = ['pages', 'one', 'metrics', 'deliveries', 'latency', 'capture'];
export const GROWTH_GROUPS = ['growth-pages', 'growth-claims'];

/** Numeric options: the default and the description. */
const NUMBERS = {
  rounds: [5, 'rounds in which the contestants take turns'],
  sliceMs: [700, 'duration of each turn of a read'],
  connections: [8, 'connections of the load generator'],
  warmUp: [3_000, 'warm-up of each process: responses, deliveries or captures'],
  events: [30_000, 'engagement events in the workspace of the reads'],
  views: [10_000, 'views in this workspace'],
  rooms: [2_000, 'rooms in this workspace'],
  calls: [2_000, 'calls in this workspace, each with a summary'],
  roomEvents: [5_000, 'events of the room whose metrics are read'],
  deliveries: [3_000, 'events per turn to 20 endpoints, and half as many to one'],
  singles: [300, 'events per turn of the capture, one per transaction'],
  bulk: [20_000, 'events per turn of the bulk capture'],
  pacedMs: [5_000, 'duration of each turn at a constant rate'],
  growthEvents: [10_000_000, 'engagement events of the large workspace'],
  growthFewEvents: [10_000, 'engagement events of the small workspace'],
  growthPending: [1_000_000, 'pending deliveries of the large database'],
  growthFewPending: [1_000, 'pending deliveries of the small database'],
  growthWorkspaces: [10_000, 'workspaces with pending deliveries'],
} as const;

type NumberName = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as NumberName[];

export interface BenchOptions extends Readonly<Record<NumberName, number>> {
  groups: ReadonlySet<string>;
  /** Built checkouts of the product whose APIs are measured as well. */
  beside: readonly string[];
  /** The file for the rows as JSON. */
  json: string | undefined;
}

const toFlag = (name: NumberName): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The text that `--help` prints. */
export const USAGE = [
  'usage: pnpm bench [options]',
  '',
  'Measures the hot paths next to their floor, on its own PostgreSQL and Redis, and prints a table.',
  '',
  `  --only LIST              parts to run, comma-separated: ${GROUPS.join(', ')}`,
  `  --growth                 compare large sizes with small ones instead: ${GROWTH_GROUPS.join(', ')}`,
  '  --beside FOLDER          another built checkout whose API to measure as well; repeatable',
  '  --json FILE              also write the measurements to a file',
  '  --help                   print this text',
  ...NAMES.map((name) => {
    const [value, description] = NUMBERS[name];
    return `  ${`--${toFlag(name)} N`.padEnd(24)} ${description} (${value.toLocaleString('en')})`;
  }),
].join('\n');

/** Thrown for an unknown or malformed option. */
export class UsageError extends Error {}

/**
 * Parses the options of the command. Returns null if `--help` is given.
 *
 * @throws UsageError
 */
export function readOptions(args: string[]): BenchOptions | null {
  const given = parse(args);
  if (given.help) return null;
  const numbers = NAMES.map((name): [NumberName, number] => {
    const text = (given as Record<string, unknown>)[toFlag(name)] as string | undefined;
    const value = text === undefined ? NUMBERS[name][0] : Number(text);
    if (!Number.isInteger(value) || value < 1)
      throw new UsageError(`--${toFlag(name)}: must be a whole number from 1`);
    return [name, value];
  });
  const groups = given.only?.split(',') ?? (given.growth ? GROWTH_GROUPS : GROUPS);
  const unknown = groups.find((group) => ![...GROUPS, ...GROWTH_GROUPS].includes(group));
  if (unknown !== undefined) throw new UsageError(`--only: unknown part ${unknown}`);
  return {
    ...(Object.fromEntries(numbers) as Record<NumberName, number>),
    groups: new Set(groups),
    beside: [...new Set(given.beside)],
    json: given.json,
  };
}

function parse(args: string[]) {
  const numbers = Object.fromEntries(NAMES.map((name) => [toFlag(name), { type: 'string' as const }]));
  try {
    return parseArgs({
      args,
      strict: true,
      options: {
        ...numbers,
        only: { type: 'string' },
        growth: { type: 'boolean', default: false },
        beside: { type: 'string', multiple: true, default: [] },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
