import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EVENTS, OBJECT_FEEDS } from '@deal-signals/serializers/events/events';
import { ROUTES } from '../app.ts';
import { describeCapture } from '../capture/description.ts';
import { describeConsole } from '../console/router.ts';
import { describeApi } from './document.ts';

/**
 * Writes the OpenAPI documents of the API, of its capture port and of the console, and the facts about event types for the
 * generators. Only the named files are written.
 */
const [file, captureFile, consoleFile, eventsFile] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: write-document FILE [CAPTURE_FILE] [CONSOLE_FILE] [EVENTS_FILE]');
  process.exit(1);
}
write(file, describeApi(ROUTES));
if (captureFile !== undefined) write(captureFile, describeCapture());
if (consoleFile !== undefined) write(consoleFile, describeConsole());
if (eventsFile !== undefined) write(eventsFile, eventFacts());

/** Returns what the clients and the console need for each event type, besides the schema and the example of its body. */
function eventFacts(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, { object, objectField = null, meaning, trigger }]) => {
      const feed = object === null ? null : OBJECT_FEEDS[object];
      return [type, { object, objectField, feed, meaning, trigger }];
    }),
  );
}

function write(to: string, document: object): void {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, `${JSON.stringify(document, null, 2)}\n`);
}
