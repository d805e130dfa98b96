import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../app.ts';
import { describeApi } from './document.ts';

/** Writes the OpenAPI document to the file named by the first argument, for tools that read it from disk. */
const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: write-document FILE');
  process.exit(1);
}
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(describeApi(ROUTES), null, 2)}\n`);
