import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { BODY, SECRET, serviceHeaders } from '../webhooks/sign.ts';
import { page, startScriptedApi } from '../feeds/scripted-api.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PACKAGE = path.join(import.meta.dirname, '../..');
const REPOSITORY = path.join(PACKAGE, '../../..');

let project: string;

/** The environment of a user who has only installed Node.js. */
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

function inProject(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Packs a package into a folder, as for publication. */
function pack(folder: string, to: string, command: string, ...args: string[]): void {
  execFileSync(command, [...args, 'pack', '--pack-destination', to], { cwd: folder, env, stdio: 'pipe' });
}

// Its dependencies are packed as well, so that the test needs no package registry.
beforeAll(() => {
  const folder = temporaryFolder();
  pack(PACKAGE, folder, 'npx', '--yes', 'pnpm@12.21.0');
  const fetchPackage = path.dirname(
    createRequire(path.join(PACKAGE, 'package.json')).resolve('openapi-fetch'),
  );
  const fetchFolder = fetchPackage.slice(
    0,
    fetchPackage.lastIndexOf('openapi-fetch') + 'openapi-fetch'.length,
  );
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    // pnpm hard-links files with the same content, and a tarball would hold such a file only once.
    const copy = path.join(folder, name);
    cpSync(path.join(path.dirname(fetchFolder), name), copy, { recursive: true, dereference: true });
    pack(copy, folder, 'npm', '--ignore-scripts');
  }
  project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module", "private": true }');
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  expect(tarballs).toHaveLength(3);
  inProject(
    'npm',
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    ...tarballs.map((file) => `../${file}`),
  );
});

const installed = (...parts: string[]) => path.join(project, 'node_modules', 'deal-signals', ...parts);
const manifest = () => JSON.parse(readFileSync(installed('package.json'), 'utf8'));

test('the tarball holds the built code and no source', () => {
  const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
  expect(readdirSync(installed()).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.map$|test/.test(file))).toEqual([]);
});

test('it only depends on openapi-fetch, and ES modules and CommonJS find every export', () => {
  expect(manifest().dependencies).toEqual({ 'openapi-fetch': expect.stringMatching(/^\d/) });
  expect(JSON.stringify(manifest().exports)).not.toContain('source');
  const program = `
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    for (const name of ${JSON.stringify(Object.keys(manifest().exports))}) {
      const at = 'deal-signals' + name.slice(1);
      const module = await import(at, name.endsWith('.json') ? { with: { type: 'json' } } : {});
      const names = Object.keys(name.endsWith('.json') ? module.default : module).toSorted().join();
      const required = Object.keys(require(at)).toSorted().join();
      console.log(name, (names !== '' || name.endsWith('/store')) && required === names);
    }`;
  writeFileSync(path.join(project, 'exports.mjs'), program);
  const lines = inProject('node', 'exports.mjs').trim().split('\n');
  expect(lines.filter((line) => !line.endsWith(' true'))).toEqual([]);
  expect(lines.length).toBe(Object.keys(manifest().exports).length);
});

test('a CommonJS program requires every export, loads no ES module, and follows a feed', async () => {
  const entries = Object.keys(manifest().exports).filter((name) => !name.endsWith('.json'));
  const program = `
    const modules = Object.assign({}, ...${JSON.stringify(entries)}.map((name) => require('deal-signals' + name.slice(1))));
    const ids = [];
    modules.followFeed('engagement/events', {
      store: modules.cursorStore(modules.cursorFile('cursors.json')),
      stopAtEnd: true,
      onPage: ({ data }) => data.forEach(({ id }) => ids.push(id)),
    }).then(() => modules.openPostgresStore('postgres://127.0.0.1/x')).catch(({ message }) => console.log(ids.join(), message));`;
  writeFileSync(path.join(project, 'program.cjs'), program);
  writeFileSync(
    path.join(project, 'types.cts'),
    "import client = require('deal-signals/client');\nexport const { baseUrl }: { baseUrl: string } = client.connectionOf({});\n",
  );
  compile(REPOSITORY, '--noEmit', 'types.cts');
  const api = await startScriptedApi(page([1, 2], { hasMore: true }), page([3]));
  const child = spawn('node', ['--no-experimental-require-module', 'program.cjs'], {
    cwd: project,
    env: { ...env, DEAL_SIGNALS_URL: api.url, DEAL_SIGNALS_API_KEY: 'key' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const written = await textOf(child.stdout);
  await api.close();
  expect(written).toMatch(/^1,2,3 .*npm install pg, .*\n$/);
});

/** Compiles files of the project with the TypeScript of a folder. Also checks the declarations of the package. */
function compile(folder: string, ...args: string[]): void {
  const rules =
    '--module nodenext --target es2022 --lib es2023 --strict --exactOptionalPropertyTypes --types node';
  const typeRoots = path.join(REPOSITORY, 'node_modules/@types');
  inProject(
    path.join(folder, 'node_modules/.bin/tsc'),
    ...rules.split(' '),
    '--typeRoots',
    typeRoots,
    ...args,
  );
}

const PROGRAM = `
import { createClient } from 'deal-signals/client';
import { ApiRefusal } from 'deal-signals/errors';
import { FEEDS, type FeedPage } from 'deal-signals/feeds/feeds';
import { followFeed } from 'deal-signals/feeds/follow-feed';
import { openFileStore } from 'deal-signals/stores/file-store';
import { openPostgresStore } from 'deal-signals/stores/postgres-store';
import { openSqliteStore } from 'deal-signals/stores/sqlite-store';
import { isEvent } from 'deal-signals/webhooks/events';
import { expressHandler } from 'deal-signals/webhooks/express';
import { fastifyWebhooks } from 'deal-signals/webhooks/fastify';
import { fetchHandler } from 'deal-signals/webhooks/fetch';
import { verifyWebhook } from 'deal-signals/webhooks/verify-webhook';

const client = createClient();
const ids: string[] = [];
await followFeed('engagement/events', {
  client,
  store: await openFileStore('copy'),
  stopAtEnd: true,
  onPage: ({ data }: FeedPage<'engagement/events'>) => {
    for (const { id } of data) ids.push(id);
  },
});
const event = await verifyWebhook(process.env['BODY'] ?? '', JSON.parse(process.env['HEADERS'] ?? ''), process.env['SECRET'] ?? '');
const message: string | null = isEvent(event, 'integration.ping') ? event.data.message : null;
console.log(JSON.stringify({ ids, feeds: FEEDS.length, message, refusal: ApiRefusal.name }));

export async function types() {
  const { data } = await client.GET('/calls', { params: { query: { kind: 'demo' } } });
  const title: string | null | undefined = data?.data[0]?.title;
  const store = await openSqliteStore('x.db');
  await followFeed('decision-rooms', {
    store,
    onPage: ({ data: rooms }, database) => void database.prepare('SELECT ?').get(rooms[0]?.status ?? null),
  });
  await followFeed('calls', {
    store: await openPostgresStore('postgres://'),
    onPage: async (_page, connection) => void (await connection.query('SELECT 1')),
  });
  const options = { secrets: 's', onEvent: () => undefined };
  const response: Promise<Response> = fetchHandler(options)(new Request('http://x'));
  // @ts-expect-error no API key can create another one
  client.POST('/api-keys', {});
  await client.POST('/webhooks', { body: { url: 'https://hooks.crm.example', events: ['call.recorded'] } });
  // @ts-expect-error no such feed
  await followFeed('deals', { store });
  // @ts-expect-error no such field
  if (isEvent(event, 'integration.ping')) event.data.score;
  return { title, response, express: expressHandler(options), fastify: fastifyWebhooks };
}
`;

test.each([
  ['of this repository', REPOSITORY],
  ['5', PACKAGE],
])('a program compiles with strict types by TypeScript %s, and runs', async (_version, folder) => {
  writeFileSync(path.join(project, 'program.mts'), PROGRAM);
  compile(folder, '--outDir', 'built', 'program.mts');
  const api = await startScriptedApi(page([1, 2], { hasMore: true }), page([3]));
  const child = spawn('node', ['built/program.mjs'], {
    cwd: project,
    env: {
      ...env,
      DEAL_SIGNALS_URL: api.url,
      DEAL_SIGNALS_API_KEY: 'key',
      BODY,
      HEADERS: JSON.stringify(serviceHeaders(BODY, [SECRET], new Date())),
      SECRET,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const written = await textOf(child.stdout);
  await api.close();
  const { ids, ...others } = JSON.parse(written);
  expect(others).toEqual({ feeds: 10, message: 'Grüße 👋', refusal: 'ApiRefusal' });
  // The second compiler's run continues where the first one stopped.
  expect(ids).toEqual(['1', '2', '3']);
});

test('the programs of docs/client.md and docs/first-sync.md compile', () => {
  const programs = ['docs/client.md', 'docs/first-sync.md'].flatMap((file) =>
    Array.from(
      readFileSync(path.join(REPOSITORY, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm),
      ([, source = '']) => source,
    ),
  );
  expect(programs).toHaveLength(5);
  const files = programs.map((source, n) => {
    writeFileSync(path.join(project, `shown${n}.mts`), source);
    return `shown${n}.mts`;
  });
  compile(REPOSITORY, '--noEmit', ...files);
});

/** Runs the command as an installed package, possibly with further packages next to it. */
function sync(to: string, url = 'http://127.0.0.1:1/api/v1') {
  const child = spawn('npx', ['deal-signals', 'sync', '--feeds', 'engagement/events', '--to', to], {
    cwd: project,
    env: { ...env, DEAL_SIGNALS_URL: url, DEAL_SIGNALS_API_KEY: 'key' },
  });
  return Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close').then(([status]) => status as number),
  ]);
}

/** Installs a package of this repository next to the client, with its dependencies. */
function installBeside(name: string): void {
  const at = path.join(PACKAGE, 'node_modules', name);
  symlinkSync(realpathSync(at), path.join(project, 'node_modules', name));
}

const HAS_SQLITE = process.getBuiltinModule('node:sqlite') !== undefined;

test.each([
  ['PostgreSQL', 'postgres://127.0.0.1/x', 'pg', false],
  ['SQLite', 'sqlite:deals.db', 'libsql', HAS_SQLITE],
])(
  'npx deal-signals writes to %s, or prints in one line what to install',
  async (_name, to, needed, isBuiltIn) => {
    expect(inProject('npx', 'deal-signals', '--help')).toContain('usage: deal-signals COMMAND');
    if (!isBuiltIn) {
      const [, stderr, status] = await sync(to);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringContaining(
          `npm install ${needed}, or without a project: npx -p deal-signals -p ${needed} deal-signals …`,
        ),
      ]);
      installBeside(needed);
    }
    const api = await startScriptedApi(
      (response) => response.end('{"company":{"id":1}}'),
      page([1, 2], { cursor: 2 }),
      page([]),
    );
    const [stdout, stderr] = await sync(to, api.url);
    await api.close();
    if (to.startsWith('sqlite:')) expect(stdout).toBe('engagement/events: 2 records\nerasures: 0 records\n');
    // There is no server at this URL.
    else expect(stderr).not.toContain('npm install');
  },
);
