import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { captureEvents, captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DATA_FEEDS } from 'deal-signals/feeds/feeds';
import { adminToken, createKey } from '../published-api.ts';

const VERSION = '4.32.0';
/** Limits the run: cases per operation and phase. */
const MAX_EXAMPLES = 15;
const MAX_RUN_MS = 420_000;
/** Excluded, because they would send requests to invented hosts. */
const LEFT_OUT = ['pingWebhook', 'testWebhookUrl', 'testAlertChannel'];

/**
 * Finds Schemathesis, which generates requests from an OpenAPI description and compares the responses with it, on the PATH or
 * in a folder for temporary files, or installs it there for the next run.
 */
function findTool(): { command: string } | { missing: string } {
  if (spawnSync('schemathesis', ['--version']).status === 0) return { command: 'schemathesis' };
  if (spawnSync('python3', ['--version']).status !== 0) return { missing: 'python3 is not installed' };
  const folder = path.join(tmpdir(), `deal-signals-schemathesis-${VERSION}`);
  const command = path.join(folder, 'bin/schemathesis');
  if (existsSync(command)) return { command };
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', folder]],
    [path.join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]],
  ];
  const isInstalled = steps.every(([program, args]) => spawnSync(program, args).status === 0);
  return isInstalled ? { command } : { missing: `pip failed to install schemathesis ${VERSION}` };
}

/** The admin's workspace differs from that of the key, which the run would otherwise soon revoke. */
const OTHER_COMPANY = 2;

const tool = findTool();

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await captureEvents(database.db, ['e1', 'e2', 'e3']);
  await addCompany(database.db, OTHER_COMPANY);
});
afterAll(() => database.drop());

/**
 * Returns the settings of the run. Operations with rules that a schema cannot express skip one check, that valid data are
 * accepted. Such rules are a time in the future, a parameter that requires or excludes others (such as the order of a cursor),
 * and rules that depend on the state (such as the number of endpoints, or the headers of an endpoint whose URL changes).
 */
function settings(baseUrl: string, key: string, session: string): string {
  const withoutAcceptance = [
    // Cursors are opaque, and most texts in their format are invalid. `cursors.unit.test.ts` has the rules.
    ...[
      ...DATA_FEEDS.filter((feed) => !feed.startsWith('engagement/')).map((feed) => `/${feed}`),
      '/room-scores',
    ].map((feed) => `GET ${feed}`),
    'POST /api-keys',
    'POST /api-keys/{id}/rotate',
    'GET /audit-log',
    'GET /webhook-deliveries',
    'GET /webhooks/{id}/deliveries',
    'PATCH /webhooks/{id}',
    // The rules of filters: the values of each operator, the depth and the number of conditions. `filter.unit.test.ts` tests
    // them.
    'POST /webhooks',
    'POST /webhooks/test-filter',
    // The number of channels. `alert-channels.test.ts` tests it.
    'POST /alert-channels',
  ];
  return `
base-url = "${baseUrl}"
[generation]
max-examples = ${MAX_EXAMPLES}
[auth.openapi.apiKeyAuth]
bearer = "${key}"
[auth.openapi.adminSession]
bearer = "${session}"
${withoutAcceptance.map((name) => `[[operations]]\ninclude-name = "${name}"\nchecks.positive_data_acceptance.enabled = false\n`).join('')}`;
}

const title = 'Schemathesis finds no difference between the API and its description';
const run = 'command' in tool ? test : test.skip;

run(
  'missing' in tool ? `${title} (NOT RUN: ${tool.missing})` : title,
  async () => {
    const api = await startApp('api', {
      DATABASE_URL: database.url,
      REDIS_URL: await createTestRedis(),
    });
    const folder = mkdtempSync(path.join(currentTestRun().folder, 'schemathesis-'));
    const config = path.join(folder, 'schemathesis.toml');
    writeFileSync(
      config,
      settings(api.baseUrl, await createKey(api.baseUrl, ['read', 'webhooks']), adminToken(OTHER_COMPANY)),
    );
    const { command } = tool as { command: string };
    const child = spawn(
      command,
      [
        '--config-file',
        config,
        '--no-color',
        'run',
        `${api.baseUrl}/openapi.json`,
        '--seed=12',
        '--continue-on-failure',
        ...LEFT_OUT.flatMap((operation) => ['--exclude-operation-id', operation]),
      ],
      { cwd: folder, timeout: MAX_RUN_MS, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    const report = Buffer.concat(chunks).toString();
    if (child.exitCode !== 0) throw new Error(report);
    const [, selected, all] = /Selected: (\d+)\/(\d+)/.exec(report) ?? [];
    expect(Number(selected)).toBe(Number(all) - LEFT_OUT.length);
    expect(report).toContain(`Tested: ${selected}`);
  },
  600_000,
);
