import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript';

const REPOSITORY = path.join(import.meta.dirname, '../../..');
const FOLDER = path.join(import.meta.dirname, '../src/api/generated');
const HEADER = '// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.\n\n';

/** The types of the operations that the console uses, by file: those of the API itself, and those below `/console/api`; and what it
 * says of events. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'deal-signals-console-'));
  try {
    const [integration, capture, own, events] = ['integration', 'capture', 'console', 'events'].map((name) =>
      path.join(folder, `${name}.json`),
    ) as [string, string, string, string];
    const command = path.join(REPOSITORY, 'apps/api/src/openapi/write-document.ts');
    execFileSync(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', command, integration, capture, own, events],
      { cwd: REPOSITORY, env: { ...process.env, NODE_OPTIONS: '' } },
    );
    return new Map([
      [path.join(FOLDER, 'integration.ts'), await typesOf(integration)],
      [path.join(FOLDER, 'console.ts'), await typesOf(own)],
      [path.join(FOLDER, 'events.ts'), eventsSource(events)],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What each event reports, and the kind of the object that it shows, with the field of `data` that holds it. */
function eventsSource(file: string): string {
  const events = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;
  const shown = Object.entries(events).map(([type, { meaning, object, objectField }]) => [
    type,
    { meaning, object, objectField },
  ]);
  const text = JSON.stringify(Object.fromEntries(shown), null, 2);
  return `${HEADER}export const EVENTS = ${text} as const;\n`;
}

async function typesOf(file: string): Promise<string> {
  const description = JSON.parse(readFileSync(file, 'utf8')) as OpenAPI3;
  return HEADER + astToString(await openapiTs(description));
}
