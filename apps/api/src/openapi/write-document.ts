import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../app.ts';
import { describeCapture } from '../capture/description.ts';
import { describeApi } from './document.ts';

/** Writes the OpenAPI document of the API to a file, and that of its capture port to another one if it is named. */
const [file, captureFile] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: write-document FILE [CAPTURE_FILE]');
  process.exit(1);
}
write(file, describeApi(ROUTES));
if (captureFile !== undefined) write(captureFile, describeCapture());

function write(to: string, document: object): void {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, `${JSON.stringify(document, null, 2)}\n`);
}
