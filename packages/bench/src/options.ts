import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { ReadSizes } from './data/workspace.ts';
import { GROWTH_NUMBERS, type GrowthSizes, growthSizes } from './growth/sizes.ts';

/** The parts of the bench, in the order in which they run. */
export const GROUPS = [
  'pages',
  'one',
  'metrics',
  'deliveries',
  'latency',
  'capture',
  'capture-http',
] as const;

/** The parts that compare something large with something small; `--growth` runs them. */
export const GROWTH_GROUPS = [
  'growth-pages',
  'growth-claims',
  'growth-attempts',
  'growth-keys',
  'growth-endpoints',
  'growth-lines',
  'growth-memory',
] as const;

export interface BenchOptions {
  groups: ReadonlySet<string>;
  /** How often the contestants take turns. */
  rounds: number;
  /** How long each turn of a read lasts. */
  sliceMs: number;
  /** Connections of the load generator. */
  connections: number;
  /** What each process does before it is measured: responses, deliveries or captures. */
  warmUp: number;
  sizes: ReadSizes;
  /** Events to 20 endpoints in one turn of the deliveries; half as many go to one endpoint. */
  deliveries: number;
  deliveryRounds: number;
  /** Events in one turn of the capture with one event a transaction. */
  singles: number;
  /** Events in one turn of the bulk capture. */
  bulk: number;
  /** How long each turn of the latencies lasts. */
  latencyMs: number;
  /** How long each turn of the captures at a pace lasts. */
  pacedMs: number;
  growth: GrowthSizes;
  floorProgram: URL;
  /** Built checkouts of the product whose APIs are read, too. */
  besideFolders: readonly string[];
  /** Where to write the rows as JSON. */
  jsonFile: string | undefined;
  /** Where to write the charts. */
  chartFolder: string | undefined;
}

/** What an option may be, and its default. */
const NUMBERS = {
  rounds: { default: 5, means: 'how often the contestants take turns' },
  'slice-ms': { default: 700, means: 'how long each turn of a read lasts' },
  connections: { default: 8, means: 'connections of the load generator' },
  'warm-up': { default: 3_000, means: 'what each process does before: responses, deliveries, captures' },
  events: { default: 30_000, means: 'engagement events in the workspace that is read' },
  views: { default: 10_000, means: 'views in it' },
  rooms: { default: 2_000, means: 'rooms in it' },
  calls: { default: 2_000, means: 'calls in it, each with a summary' },
  deliveries: { default: 3_000, means: 'events to 20 endpoints in one turn; half as many to one' },
  'delivery-rounds': { default: 3, means: 'how often those of deliveries, latency and bulk take turns' },
  singles: { default: 300, means: 'events in one turn of the capture, one a transaction' },
  bulk: { default: 20_000, means: 'events in one turn of the bulk capture' },
  'room-events': { default: 5_000, means: 'events of the room whose metrics are read' },
  'paced-ms': { default: 4_000, means: 'how long each turn of the captures at a pace lasts' },
  'latency-ms': { default: 7_000, means: 'how long each turn of the latency lasts' },
} as const;

const ALL_NUMBERS = { ...NUMBERS, ...GROWTH_NUMBERS };

type NumberName = keyof typeof ALL_NUMBERS;

const explain = (numbers: Readonly<Record<string, { default: number; means: string }>>): string[] =>
  Object.entries(numbers).map(
    ([name, { default: value, means }]) =>
      `  ${`--${name} N`.padEnd(26)} ${means} (${value.toLocaleString('en')})`,
  );

/** What `--help` prints. */
export const USAGE = [
  'usage: pnpm bench [options]',
  '',
  'Measures the hot paths next to their floor, in a PostgreSQL and a Redis of its own, and prints a table.',
  '',
  `  --only LIST                parts to run, separated by commas: ${GROUPS.join(', ')}`,
  ...explain(NUMBERS),
  '  --json FILE                write the measurements to a file, too',
  '  --chart FOLDER             draw them as SVG files',
  '  --floor FILE               another program instead of the floor of the reads',
  '  --beside FOLDER            another checkout, built, whose API is read, too; may be repeated',
  '  --help                     this text',
  '',
  '  --growth                   compare large sizes with small ones instead, for a quarter of an hour.',
  `                             Its parts for --only: ${GROWTH_GROUPS.join(', ')}`,
  ...explain(GROWTH_NUMBERS),
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
  if (given.help === true) return null;
  const number = (name: NumberName): number => {
    const text = given[name];
    const value = typeof text === 'string' ? Number(text) : ALL_NUMBERS[name].default;
    if (!Number.isInteger(value) || value < 1)
      throw new UsageError(`--${name}: must be a whole number from 1`);
    return value;
  };
  const usual: readonly string[] = given.growth === true ? GROWTH_GROUPS : GROUPS;
  const names = typeof given.only === 'string' ? given.only.split(',') : usual;
  for (const name of names) {
    if (![...GROUPS, ...GROWTH_GROUPS].some((group) => group === name))
      throw new UsageError(`--only: unknown part ${name}`);
  }
  const text = (value: string | boolean | string[] | undefined) =>
    typeof value === 'string' ? value : undefined;
  const floor = text(given.floor);
  return {
    groups: new Set(names),
    rounds: number('rounds'),
    sliceMs: number('slice-ms'),
    connections: number('connections'),
    warmUp: number('warm-up'),
    sizes: {
      events: number('events'),
      views: number('views'),
      rooms: number('rooms'),
      calls: number('calls'),
      roomEvents: number('room-events'),
    },
    deliveries: number('deliveries'),
    deliveryRounds: number('delivery-rounds'),
    singles: number('singles'),
    bulk: number('bulk'),
    latencyMs: number('latency-ms'),
    pacedMs: number('paced-ms'),
    growth: growthSizes(number),
    floorProgram:
      floor === undefined
        ? new URL('./floors/http-floor-process.ts', import.meta.url)
        : pathToFileURL(path.resolve(floor)),
    besideFolders: Array.isArray(given.beside) ? [...new Set(given.beside)] : [],
    jsonFile: text(given.json),
    chartFolder: text(given.chart),
  };
}

function parse(args: string[]): Partial<Record<string, string | boolean | string[]>> {
  const numbers = Object.fromEntries(
    Object.keys(ALL_NUMBERS).map((name) => [name, { type: 'string' as const }]),
  );
  try {
    return parseArgs({
      args,
      strict: true,
      options: {
        ...numbers,
        only: { type: 'string' },
        growth: { type: 'boolean' },
        json: { type: 'string' },
        chart: { type: 'string' },
        floor: { type: 'string' },
        beside: { type: 'string', multiple: true },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
