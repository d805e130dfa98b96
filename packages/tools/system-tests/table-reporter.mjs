import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The tables, by the file in which the tests publish their rows. */
const TABLES = ['fault-table.ndjson', 'abuse-table.ndjson'];

/** Prints the tables of the fault and abuse tests after Jest's own summary. Prints nothing if none ran. */
export default class TableReporter {
  onRunComplete() {
    // Read now, because the folder is removed with the run. Printed at exit, because Jest prints its summary after this.
    const tables = TABLES.map(readRows).filter((rows) => rows.length > 0);
    if (tables.length === 0) return;
    process.once('exit', () => process.stdout.write(tables.map((rows) => `\n${format(rows)}\n`).join('')));
  }
}

function readRows(file) {
  const { folder } = JSON.parse(process.env.DEAL_SIGNALS_TEST_RUN ?? '{"folder":""}');
  try {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** A table of the fields of its rows; the first column holds text, the others numbers. */
function format(rows) {
  const columns = Object.keys(rows[0]);
  const table = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
  const widths = columns.map((_, n) => Math.max(...table.map((cells) => cells[n].length)));
  const lines = table.map((cells) =>
    cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]) : cell.padStart(widths[n]))).join('  '),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n') + '\n';
}
