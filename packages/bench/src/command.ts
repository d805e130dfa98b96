import { writeFile } from 'node:fs/promises';
import { measureCaptureHttp } from './contestants/capture-http.ts';
import { measureCaptures } from './contestants/captures.ts';
import { measureDeliveries } from './contestants/deliveries.ts';
import { measureLatency } from './contestants/latency.ts';
import { measureReads } from './contestants/reads.ts';
import { type BenchOptions, readOptions, USAGE, UsageError } from './options.ts';
import { drawCharts } from './report/charts.ts';
import { describeMachine } from './report/machine.ts';
import type { Row } from './report/row.ts';
import { formatTable } from './report/table.ts';
import { startBenchStack } from './stack/bench-stack.ts';

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
  { groups: ['capture-http'], measure: measureCaptureHttp },
];

async function run(options: BenchOptions): Promise<void> {
  say('starting PostgreSQL and Redis');
  const stack = await startBenchStack(say);
  const stop = () => {
    process.exitCode = 130;
    void stack.close().then(() => process.exit());
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const machine = await describeMachine(stack);
  const rows: Row[] = [];
  try {
    for (const { groups, measure } of PARTS) {
      if (groups.some((group) => options.groups.has(group))) {
        rows.push(...(await measure({ stack, options, say })));
      }
    }
    say('done');
  } finally {
    // What was measured before an error or a signal is not lost.
    if (rows.length > 0) await report(options, machine, rows);
    await stack.close();
  }
}

async function report(options: BenchOptions, machine: string[], rows: Row[]): Promise<void> {
  process.stdout.write(`${machine.join('\n')}\n\n${formatTable(rows)}\n`);
  const { jsonFile, chartFolder } = options;
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
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
