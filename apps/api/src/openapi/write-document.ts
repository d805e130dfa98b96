import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../app.ts';
import { describeCapture } from '../capture/description.ts';
import { describeConsole } from '../console/router.ts';
import { describeApi } from './document.ts';

/** Writes the OpenAPI documents of the API, of its capture port and of the console to files, as far as they are named. */
const [file, captureFile, consoleFile] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: write-document FILE [CAPTURE_FILE] [CONSOLE_FILE]');
  process.exit(1);
}
write(file, describeApi(ROUTES));
if (captureFile !== undefined) write(captureFile, describeCapture());
if (consoleFile !== undefined) write(consoleFile, describeConsole());

function write(to: string, document: object): void {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, `${JSON.stringify(document, null, 2)}\n`);
}
