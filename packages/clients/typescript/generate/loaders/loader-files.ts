import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DATA_FEEDS, tableOf } from '../../src/feeds/feeds.ts';
import { type Description, feedColumns, feedRecords, REPOSITORY } from '../generate.ts';
import { airbyteSchema } from './airbyte-schema.ts';
import { dltColumns } from './dlt-columns.ts';

const FOLDER = 'examples/loaders';
const DLT = 'deal_signals_dlt.py';
const AIRBYTE = 'deal_signals_airbyte.yaml';

/** Returns the path and the text of the loader configurations for all data, with the types of the fields. */
export function loaderFiles(description: Description): Map<string, string> {
  const columns = feedColumns(description);
  const records = feedRecords(description);
  const dlt = replaceGenerated(
    DLT,
    /^COLUMNS = \{\n.*?^\}\n/ms,
    [
      'COLUMNS = {',
      ...DATA_FEEDS.flatMap((feed) => dltColumns(tableOf(feed), columns[feed] ?? [], feed === 'erasures')),
      '}\n',
    ].join('\n'),
  );
  const airbyte = replaceGenerated(
    AIRBYTE,
    /^schemas:\n.*/ms,
    [
      'schemas:',
      ...DATA_FEEDS.flatMap((feed) => airbyteSchema(tableOf(feed), description, records[feed] ?? {})),
      '',
    ].join('\n'),
  );
  return new Map([
    [absolute(DLT), dlt],
    [absolute(AIRBYTE), airbyte],
  ]);
}

function absolute(file: string): string {
  return path.join(REPOSITORY, 'docs', FOLDER, file);
}

/** Returns the text of a configuration with its generated part replaced. */
function replaceGenerated(file: string, part: RegExp, replacement: string): string {
  const text = readFileSync(absolute(file), 'utf8');
  if (!part.test(text)) throw new Error(`${file} has no generated part`);
  return text.replace(part, () => replacement);
}
