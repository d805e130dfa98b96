import { existsSync } from 'node:fs';
import { openSqlite, readExactly } from '../stores/sqlite-driver.ts';
import { EXIT_CODES, parse, type Subcommand, UsageError } from './command.ts';
import { escapeForTerminal } from './escape-for-terminal.ts';

const HELP = `usage: deal-signals query FILE SQL

Runs a SELECT on a SQLite file that \`sync\` has created, and prints the rows separated by tabs. For machines without the program
sqlite3. Needs no connection.`;

/** `deal-signals query` */
export const query: Subcommand = {
  summary: 'runs a SELECT on a SQLite file that sync has created',
  help: HELP,
  async run(argv, { print }) {
    const { positionals } = parse({ args: argv, allowPositionals: true, options: {} });
    const [target, sql, ...others] = positionals;
    if (target === undefined || sql === undefined || others.length > 0) {
      throw new UsageError('one FILE and one SQL statement are required');
    }
    const file = target.replace(/^sqlite:/, '');
    // SQLite would create the file.
    if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
    const database = await openSqlite(file);
    try {
      database.exec('PRAGMA query_only = ON');
      const { columns, rows } = readExactly(database.prepare(sql));
      if (rows.length > 0) print(formatRow(columns));
      for (const row of rows) print(formatRow(row));
    } finally {
      database.close();
    }
    return EXIT_CODES.done;
  },
};

/** Formats a row. A text with a tab or a line break would look like another column or row. */
function formatRow(values: readonly unknown[]): string {
  return values.map((value) => escapeForTerminal(formatValue(value))).join('\t');
}

/** Formats a value. Bytes become a hexadecimal SQL literal. */
function formatValue(value: unknown): string {
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value);
}
