import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { describe, expect, test } from '@jest/globals';
import { PACKAGE_FOLDERS } from '../../src/package-folders.ts';

/** These packages contain only code for tests and benchmarks, which may write any row. */
const TEST_PACKAGES = ['test-kit', 'system-tests', 'bench'];

/** Returns every TypeScript source of the apps and packages, without tests and generated code. */
function sourceFiles(): string[] {
  return PACKAGE_FOLDERS.filter((folder) => !TEST_PACKAGES.includes(path.basename(folder)))
    .flatMap((folder) => filesBelow(path.join(folder, 'src')))
    .filter((file) => !file.includes('/generated/'));
}

function filesBelow(folder: string): string[] {
  const absolute = path.join(REPOSITORY_ROOT, folder);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file));
}

const read = (file: string) => readFileSync(path.join(REPOSITORY_ROOT, file), 'utf8');

describe('the tables of deliveries', () => {
  // Matches SQL, and the calls of the Prisma client that write.
  const WRITE =
    /(INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE|MERGE\s+INTO|COPY)\s+(ONLY\s+)?"?(?:webhook|pending)_deliveries\b|(?:webhook|pending)Delivery\s*\.\s*(create|update|upsert|delete)/i;

  test.each([
    'UPDATE pending_deliveries SET ready = true',
    'INSERT INTO webhook_deliveries (id) VALUES (1)',
    'DELETE  FROM webhook_deliveries',
    'db.webhookDelivery.updateMany({})',
    'tx.pendingDelivery\n  .createMany({})',
  ])('are written by statements such as: %s', (text) => expect(text).toMatch(WRITE));

  test('are written only by packages/outbox and packages/deliveries', () => {
    const writers = sourceFiles().filter((file) => WRITE.test(read(file)));
    const elsewhere = writers.filter((file) => !file.startsWith('packages/deliveries/'));
    expect(elsewhere).toEqual(['packages/outbox/src/record-events.ts']);
    expect(writers.length).toBeGreaterThan(elsewhere.length);
  });
});

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

const manifests = PACKAGE_FOLDERS.map(
  (folder): Manifest => JSON.parse(read(`${folder}/package.json`)) as Manifest,
);

/** Returns the names of all direct and indirect production dependencies of a package. */
function needs(name: string): Set<string> {
  const found = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const own = manifests.find((manifest) => manifest.name === next)?.dependencies ?? {};
    for (const dependency of Object.keys(own)) {
      if (found.has(dependency)) continue;
      found.add(dependency);
      open.push(dependency);
    }
  }
  return found;
}

describe('the production dependencies', () => {
  test.each([
    ['@deal-signals/capture', ['axios', 'ipaddr.js', 'prom-client', '@deal-signals/sending']],
    ['@deal-signals/outbox', ['axios', 'ipaddr.js', 'prom-client', 'zod', '@deal-signals/serializers']],
    ['@deal-signals/worker', ['@deal-signals/demo', 'express', 'jsonwebtoken']],
    ['@deal-signals/api', ['bullmq', '@deal-signals/demo']],
  ])('of %s do not include %j', (name, unwanted) => {
    const needed = needs(name);
    expect(needed).toContain('@deal-signals/db');
    expect(unwanted.filter((dependency) => needed.has(dependency))).toEqual([]);
  });
});
