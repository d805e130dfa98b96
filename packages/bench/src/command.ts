import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureCaptureHttp } from './contestants/capture-http.ts';
import { measureCaptures } from './contestants/captures.ts';
import { measureDeliveries } from './contestants/deliveries.ts';
import { measureLatency } from './contestants/latency.ts';
import { measureReads } from './contestants/reads.ts';
import { measureAttemptGrowth } from './growth/attempts.ts';
import { measureCapturedLines } from './growth/captured-lines.ts';
import { measureClaimGrowth } from './growth/claims.ts';
import { measureFanOut } from './growth/fan-out.ts';
import { measureKeyGrowth } from './growth/keys.ts';
import { measureApiMemory, measureWorkerMemory } from './growth/memory.ts';
import { measurePageGrowth } from './growth/pages.ts';
import { type BenchOptions, GROWTH_GROUPS, readOptions, USAGE, UsageError } from './options.ts';
import { drawCharts } from './report/charts.ts';
import { describeMachine } from './report/machine.ts';
import type { Measurements } from './report/performance-page.ts';
import type { Row } from './report/row.ts';
import { formatTable } from './report/table.ts';
import { LARGE_TABLE_SETTINGS, startBenchStack } from './stack/bench-stack.ts';

// `pnpm bench`: the table goes to standard output and the progress to standard error.

const startedMs = performance.now();

function say(line: string): void {
  process.stderr.write(`[${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s] ${line}\n`);
}

/** The parts of the bench, in their order, with the groups that each measures. */
const PARTS = [
  { groups: ['pages', 'one', 'metrics'], measure: measureReads },
  { groups: ['deliveries'], measure: measureDeliveries },
  { groups: ['latency'], measure: measureLatency },
  { groups: ['capture'], measure: measureCaptures },
  { groups: ['growth-pages'], measure: measurePageGrowth },
  { groups: ['growth-claims'], measure: measureClaimGrowth },
  { groups: ['growth-attempts'], measure: measureAttemptGrowth },
  { groups: ['growth-keys'], measure: measureKeyGrowth },
  { groups: ['growth-endpoints'], measure: measureFanOut },
  { groups: ['growth-lines'], measure: measureCapturedLines },
  { groups: ['growth-memory'], measure: measureApiMemory },
  { groups: ['growth-memory'], measure: measureWorkerMemory },
  { groups: ['capture-http'], measure: measureCaptureHttp },
];

async function run(options: BenchOptions): Promise<void> {
  say('starting PostgreSQL and Redis');
  const isGrowth = GROWTH_GROUPS.some((group) => options.groups.has(group));
  const stack = await startBenchStack(say, isGrowth ? LARGE_TABLE_SETTINGS : {});
  const stop = () => {
    process.exitCode = 130;
    void stack.close().then(() => process.exit());
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const machine = [
    `Command: \`${describeCommand(process.argv.slice(2))}\`.`,
    ...(await describeMachine(stack)),
  ];
  const rows: Row[] = [];
  const measureAll = async (): Promise<void> => {
    for (const { groups, measure } of PARTS) {
      if (groups.some((group) => options.groups.has(group))) {
        rows.push(...(await measure({ stack, options, say })));
      }
    }
  };
  try {
    await (isGrowth ? Promise.race([measureAll(), after(options.growth.minutes)]) : measureAll());
    say('done');
  } finally {
    // What was measured before an error or a signal is not lost.
    if (rows.length > 0) await report(options, machine, rows);
    await stack.close();
  }
}

/** The command without the names of the files that it writes. */
function describeCommand(args: readonly string[]): string {
  const isFile = (arg: string | undefined) => arg === '--json' || arg === '--chart';
  return ['pnpm bench', ...args.filter((arg, n) => !isFile(arg) && !isFile(args[n - 1]))].join(' ');
}

/** @throws Error after this time. */
async function after(minutes: number): Promise<never> {
  await sleep(minutes * 60_000, undefined, { ref: false });
  throw new Error(`not finished within ${minutes} minutes`);
}

async function report(options: BenchOptions, machine: string[], rows: Row[]): Promise<void> {
  process.stdout.write(`${machine.join('\n')}\n\n${formatTable(rows)}\n`);
  const { jsonFile, chartFolder } = options;
  const measurements: Measurements = { machine, rows };
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(measurements, null, 2)}\n`);
  if (chartFolder !== undefined) await drawCharts(rows, chartFolder);
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(`${USAGE}\n`);
  else await run(options);
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${error.message}\n\n${USAGE}\n` : `${(error as Error).stack}\n`);
  process.exitCode = 1;
}
// Connections that were kept open have had their time.
process.exit();
