import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../app.ts';
import { describeCapture } from '../capture/description.ts';
import { describeApi } from './document.ts';

/** Writes the OpenAPI documents of the API and of its capture port to files, for tools that read them from disk. */
const [file, captureFile] = process.argv.slice(2);
if (file === undefined || captureFile === undefined) {
  console.error('usage: write-document FILE CAPTURE_FILE');
  process.exit(1);
}
write(file, describeApi(ROUTES));
write(captureFile, describeCapture());

function write(to: string, document: object): void {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, `${JSON.stringify(document, null, 2)}\n`);
}
