import { chartsOf } from './charts.ts';
import type { Row } from './row.ts';
import { tableOf } from './table.ts';

/** What `pnpm bench --json` writes. */
export interface Measurements {
  /** Lines that say what was run, and on what. */
  machine: string[];
  rows: Row[];
}

/** A part of the page that is made from a JSON file. */
const PART = /(<!-- (\S+)\.json -->\n<!-- prettier-ignore-start -->\n)[^]*?(<!-- prettier-ignore-end -->)/g;

/**
 * Replaces the tables of a page, and the charts below them: the part after the comment `<!-- NAME.json -->` by the
 * measurements of that name.
 *
 * @param folder where the charts are, as the page refers to it.
 * @throws Error if the page has a part whose measurements are missing.
 */
export function fillPage(
  page: string,
  measurements: Readonly<Record<string, Measurements>>,
  folder: string,
): string {
  return page.replace(PART, (_part, begin: string, name: string, end: string) => {
    const found = measurements[name];
    if (found === undefined) throw new Error(`there are no measurements for ${name}.json`);
    return `${begin}\n${formatPart(found, folder)}\n\n${end}`;
  });
}

function formatPart({ machine, rows }: Measurements, folder: string): string {
  const { table, notes } = tableOf(rows);
  return [
    // Two spaces at the end of a line break it.
    machine.join('  \n'),
    table,
    ...(notes.length > 0 ? [notes.map((note, n) => `${n + 1}. ${note}`).join('\n')] : []),
    ...chartsOf(rows).map(({ file, title }) => `![${title}](${folder}/${file})`),
  ].join('\n\n');
}
