// Generates the types of the API for the console, from the description of the API in this checkout. They are not committed:
// installation generates them, and so does each type check. The API's code imports the Prisma client, so this package depends
// on the database package, and pnpm prepares that first.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import openapiTs, { astToString } from 'openapi-typescript';

const REPOSITORY = path.join(import.meta.dirname, '../..');
const TYPES = path.join(import.meta.dirname, 'src/api/generated');

const folder = mkdtempSync(path.join(tmpdir(), 'deal-signals-console-'));
try {
  const [integration, capture, own] = ['integration', 'capture', 'console'].map((name) =>
    path.join(folder, `${name}.json`),
  );
  const command = path.join(REPOSITORY, 'apps/api/src/openapi/write-document.ts');
  execFileSync(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', command, integration, capture, own],
    {
      cwd: REPOSITORY,
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  mkdirSync(TYPES, { recursive: true });
  await writeTypes(integration, 'integration.ts');
  await writeTypes(own, 'console.ts');
} finally {
  rmSync(folder, { recursive: true });
}

/** Skips files that would not change, because a newer source would cause a rebuild of the page. */
async function writeTypes(description, name) {
  const text = astToString(await openapiTs(JSON.parse(readFileSync(description, 'utf8'))));
  const file = path.join(TYPES, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
