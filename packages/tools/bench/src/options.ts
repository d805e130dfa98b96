import { parseArgs } from 'node:util';

/** The parts of the bench, in the order in which they run. `--growth` runs those that compare something large with something small. */
export const GROUPS = ['pages', 'one', 'metrics', 'deliveries', 'latency', 'capture'];
export const GROWTH_GROUPS = ['growth-pages', 'growth-claims'];

/** Options that are numbers: the default, and what they are. */
const NUMBERS = {
  rounds: [5, 'how often the contestants take turns'],
  sliceMs: [700, 'how long each turn of a read lasts'],
  connections: [8, 'connections of the load generator'],
  warmUp: [3_000, 'what each process does before: responses, deliveries, captures'],
  events: [30_000, 'engagement events in the workspace that is read'],
  views: [10_000, 'views in it'],
  rooms: [2_000, 'rooms in it'],
  calls: [2_000, 'calls in it, each with a summary'],
  roomEvents: [5_000, 'events of the room whose metrics are read'],
  deliveries: [3_000, 'events to 20 endpoints in one turn; half as many to one'],
  singles: [300, 'events in one turn of the capture, one a transaction'],
  bulk: [20_000, 'events in one turn of the bulk capture'],
  pacedMs: [5_000, 'how long each turn at a fixed rate lasts'],
  growthEvents: [10_000_000, 'engagement events of the large workspace'],
  growthFewEvents: [10_000, 'those of the small one'],
  growthPending: [1_000_000, 'pending deliveries of the large database'],
  growthFewPending: [1_000, 'those of the small one'],
  growthWorkspaces: [10_000, 'workspaces with pending deliveries'],
} as const;

type NumberName = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as NumberName[];

export interface BenchOptions extends Readonly<Record<NumberName, number>> {
  groups: ReadonlySet<string>;
  /** Built checkouts of the product whose APIs are read, too. */
  beside: readonly string[];
  /** Where to write the rows as JSON. */
  json: string | undefined;
}

const flagOf = (name: NumberName): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What `--help` prints. */
export const USAGE = [
  'usage: pnpm bench [options]',
  '',
  'Measures the hot paths next to their floor, in a PostgreSQL and a Redis of its own, and prints a table.',
  '',
  `  --only LIST              parts to run, separated by commas: ${GROUPS.join(', ')}`,
  `  --growth                 compare large sizes with small ones instead: ${GROWTH_GROUPS.join(', ')}`,
  '  --beside FOLDER          another checkout, built, whose API is read, too; may be repeated',
  '  --json FILE              write the measurements to a file, too',
  '  --help                   this text',
  ...NAMES.map((name) => {
    const [value, description] = NUMBERS[name];
    return `  ${`--${flagOf(name)} N`.padEnd(24)} ${description} (${value.toLocaleString('en')})`;
  }),
].join('\n');

/** An option is unknown or malformed. */
export class UsageError extends Error {}

/**
 * Reads the options of the command; null if it asks for help.
 *
 * @throws UsageError
 */
export function readOptions(args: string[]): BenchOptions | null {
  const given = parse(args);
  if (given.help) return null;
  const numbers = NAMES.map((name): [NumberName, number] => {
    const text = (given as Record<string, unknown>)[flagOf(name)] as string | undefined;
    const value = text === undefined ? NUMBERS[name][0] : Number(text);
    if (!Number.isInteger(value) || value < 1)
      throw new UsageError(`--${flagOf(name)}: must be a whole number from 1`);
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
  const numbers = Object.fromEntries(NAMES.map((name) => [flagOf(name), { type: 'string' as const }]));
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
