import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { captureEvents, captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../published-api.ts';

// The clients that Go's generators produce from the published description compile unedited and read the API. Their versions
// are those of `go-clients/go.mod`.

const run = promisify(execFile);
const CLIENTS = path.resolve(import.meta.dirname, '../../go-clients');
/** The minimum Go version of the newest generator. */
const MIN_MINOR = 26;
const MINOR = Number(
  /go1\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0,
);
/** The modules are downloaded and compiled once per machine. */
const TIMEOUT_MS = 900_000;
const EVENTS = 5;

let database: TestDatabase;
let api: RunningApp;
let folder: string;
let key: string;
/** The ids of all events, oldest first. */
let ids: string[];
/** The published description, as served. */
let description: string;

const title =
  MINOR >= MIN_MINOR
    ? 'the client of'
    : `GO 1.${MIN_MINOR} IS NOT ON THIS MACHINE: nothing is tested of the client of`;

beforeAll(async () => {
  if (MINOR < MIN_MINOR) return;
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  await captureEvents(
    database.db,
    Array.from({ length: EVENTS }, (_, n) => `e${n}`),
  );
  const events = await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } });
  ids = events.map(({ id }) => String(id));
  api = await startApp('api', { DATABASE_URL: database.url, REDIS_URL: await createTestRedis() });
  key = await createKey(api.baseUrl);
  folder = path.join(currentTestRun().folder, 'go-clients');
  cpSync(CLIENTS, folder, { recursive: true });
  description = await (await fetch(`${api.baseUrl}/openapi.json`)).text();
  writeFileSync(path.join(folder, 'openapi.json'), description);
});
afterAll(() => database?.drop());

/** Generates a client with a tool of `go.mod`, and compiles and runs the program that uses it. Returns its output. */
async function readWith(client: string, tool: string, options: readonly string[]): Promise<any> {
  const inFolder = {
    cwd: folder,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local' },
    maxBuffer: 100_000_000,
  };
  mkdirSync(path.join(folder, client, 'generated'));
  await run('go', ['tool', tool, ...options, 'openapi.json'], inFolder);
  const program = path.join(folder, `${client}.out`);
  await run('go', ['build', '-o', program, `./${client}`], inFolder);
  const running = run(program, [api.baseUrl, key], inFolder);
  const { post } = JSON.parse(description).webhooks['engagement.recorded'];
  running.child.stdin?.end(JSON.stringify(post.requestBody.content['application/json'].example));
  return JSON.parse((await running).stdout);
}

describe(title, () => {
  test(
    'oapi-codegen walks the feed of events, and reads errors and a webhook',
    async () => {
      if (MINOR < MIN_MINOR) return;
      const generated = 'oapi/generated/api.gen.go';
      const options = ['-package', 'api', '-generate', 'types,client', '-o', generated];
      expect(await readWith('oapi', 'oapi-codegen', options)).toEqual({
        ids,
        pages: 3,
        unknown: [404, 'NOT_FOUND'],
        refused: [400, 'INVALID_CURSOR'],
        webhook: ['engagement.recorded', '1789030800000000'],
      });
    },
    TIMEOUT_MS,
  );

  test(
    'ogen walks the feed of events, and reads errors',
    async () => {
      if (MINOR < MIN_MINOR) return;
      const options = ['--target', 'ogen/generated', '--package', 'api'];
      expect(await readWith('ogen', 'ogen', options)).toEqual({
        ids,
        pages: 3,
        unknown: 'NOT_FOUND',
        refused: 'INVALID_CURSOR',
      });
    },
    TIMEOUT_MS,
  );
});
