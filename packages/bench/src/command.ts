import { writeFile } from 'node:fs/promises';
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

async function run(options: BenchOptions): Promise<void> {
  say('starting PostgreSQL and Redis');
  const stack = await startBenchStack(say);
  const stop = () => {
    process.exitCode = 130;
    void stack.close().then(() => process.exit());
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const context = { stack, options, say };
    const machine = await describeMachine(stack);
    const rows: Row[] = [];
    const has = (...names: string[]) => names.some((name) => options.groups.has(name));
    if (has('pages', 'one', 'metrics')) rows.push(...(await measureReads(context)));
    if (has('deliveries')) rows.push(...(await measureDeliveries(context)));
    if (has('latency')) rows.push(...(await measureLatency(context)));
    if (has('capture')) rows.push(...(await measureCaptures(context)));
    say('done');
    process.stdout.write(`${machine.join('\n')}\n\n${formatTable(rows)}\n`);
    if (options.jsonFile !== undefined) {
      await writeFile(options.jsonFile, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
    }
    if (options.chartFolder !== undefined) await drawCharts(rows, options.chartFolder);
  } finally {
    await stack.close();
  }
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
