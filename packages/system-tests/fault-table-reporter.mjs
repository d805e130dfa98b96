import { readFileSync } from 'node:fs';
import path from 'node:path';

const COLUMNS = ['fault', 'expected', 'delivered', 'duplicates', 'allowed', 'lost'];

/** Prints the table of the fault tests after Jest's own summary. Prints nothing if none ran. */
export default class FaultTableReporter {
  onRunComplete() {
    // Read now, because the folder is removed with the run. Printed at exit, because Jest prints its summary after this.
    const rows = readRows();
    if (rows.length > 0) process.once('exit', () => process.stdout.write(`\n${format(rows)}\n`));
  }
}

function readRows() {
  const { folder } = JSON.parse(process.env.DEAL_SIGNALS_TEST_RUN ?? '{"folder":""}');
  try {
    const text = readFileSync(path.join(folder, 'fault-table.ndjson'), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

function format(rows) {
  const table = [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => String(row[column])))];
  const widths = COLUMNS.map((_, n) => Math.max(...table.map((cells) => cells[n].length)));
  const lines = table.map((cells) =>
    cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]) : cell.padStart(widths[n]))).join('  '),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n') + '\n';
}
