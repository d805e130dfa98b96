import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript';

const REPOSITORY = path.join(import.meta.dirname, '../../..');
const FOLDER = path.join(import.meta.dirname, '../src/api/generated');
const HEADER = '// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.\n\n';

/** The types of the operations that the console uses, by file: those of the API itself, and those below `/console/api`. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'deal-signals-console-'));
  try {
    const [integration, capture, own] = ['integration', 'capture', 'console'].map((name) =>
      path.join(folder, `${name}.json`),
    ) as [string, string, string];
    const command = path.join(REPOSITORY, 'apps/api/src/openapi/write-document.ts');
    execFileSync(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', command, integration, capture, own],
      { cwd: REPOSITORY, env: { ...process.env, NODE_OPTIONS: '' } },
    );
    return new Map([
      [path.join(FOLDER, 'integration.ts'), await typesOf(integration)],
      [path.join(FOLDER, 'console.ts'), await typesOf(own)],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function typesOf(file: string): Promise<string> {
  const description = JSON.parse(readFileSync(file, 'utf8')) as OpenAPI3;
  return HEADER + astToString(await openapiTs(description));
}
