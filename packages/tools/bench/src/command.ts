import { writeFile } from 'node:fs/promises';
import { measureCaptures } from './captures/captures.ts';
import { measureDeliveries } from './deliveries/deliveries.ts';
import { measureLatency } from './deliveries/latency.ts';
import { measureClaimGrowth } from './growth/claims.ts';
import { measurePageGrowth } from './growth/pages.ts';
import { type BenchOptions, GROWTH_GROUPS, readOptions, USAGE, UsageError } from './options.ts';
import { measureReads } from './reads/reads.ts';
import { formatTable, type Measurements, type Row } from './report.ts';
import { LARGE_TABLE_SETTINGS, startBenchStack } from './stack/bench-stack.ts';
import { describeMachine } from './stack/machine.ts';

// Runs `pnpm bench`. The table goes to standard output and the progress to standard error.

/** The parts of the bench in the order in which they run, with the groups that each one measures. */
const PARTS = [
  { groups: ['pages', 'one', 'metrics'], measure: measureReads },
  { groups: ['deliveries'], measure: measureDeliveries },
  { groups: ['latency'], measure: measureLatency },
  { groups: ['capture'], measure: measureCaptures },
  { groups: ['growth-pages'], measure: measurePageGrowth },
  { groups: ['growth-claims'], measure: measureClaimGrowth },
];

function say(line: string): void {
  process.stderr.write(`[${(performance.now() / 1_000).toFixed(0).padStart(4)} s] ${line}\n`);
}

async function run(options: BenchOptions, args: readonly string[]): Promise<void> {
  say('starting PostgreSQL and Redis');
  const isGrowth = GROWTH_GROUPS.some((group) => options.groups.has(group));
  const stack = await startBenchStack(say, isGrowth ? LARGE_TABLE_SETTINGS : {});
  const stop = () => {
    process.exitCode = 130;
    void stack.close().then(() => process.exit());
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const rows: Row[] = [];
  try {
    const command = ['pnpm bench', ...args.filter((arg, n) => ![arg, args[n - 1]].includes('--json'))].join(
      ' ',
    );
    const machine = [`Command: \`${command}\`.`, ...(await describeMachine(stack))];
    try {
      for (const { groups, measure } of PARTS) {
        if (groups.some((group) => options.groups.has(group)))
          rows.push(...(await measure({ stack, options, say })));
      }
      say('done');
    } finally {
      // An error or a signal does not discard what was measured before it.
      if (rows.length > 0) await report(options, { machine, rows });
    }
  } finally {
    await stack.close();
  }
}

async function report({ json }: BenchOptions, measurements: Measurements): Promise<void> {
  process.stdout.write(`${measurements.machine.join('\n')}\n\n${formatTable(measurements.rows)}\n`);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(measurements, null, 2)}\n`);
}

const args = process.argv.slice(2);
try {
  const options = readOptions(args);
  if (options === null) process.stdout.write(`${USAGE}\n`);
  else await run(options, args);
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${error.message}\n\n${USAGE}\n` : `${(error as Error).stack}\n`);
  process.exitCode = 1;
}
// Does not wait for connections that are kept open.
process.exit();
