import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { runCommand } from '../../src/command/run-command.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BODY, SECRET, serviceHeaders } from '../webhooks/sign.ts';

/** A text that would set the title of a terminal, clear it, reverse the text direction, and add a line of its own. */
const HOSTILE = 'Globex\u001B]0;owned\u0007\u009B2J\u202E\u{E0001}\u2028\r\nSigning secret: whsec_x';
/** The part of it that is printed. */
const SHOWN = 'Globex ]0;owned 2J Signing secret: whsec_x';
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]|\p{Cf}|[\u2028\u2029]/u;

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** Starts an API that responds to each path with a body, or with an error if the body is an error. */
async function startApi(respond: (url: URL, body: string) => object): Promise<string> {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const body = respond(url, Buffer.concat(chunks).toString());
      const { status = 200 } = body as { status?: number };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
}

/** Runs a command until it ends by itself, or has written a given text. Returns its output. */
async function run(args: readonly string[], url = '', until?: string, input = ''): Promise<string> {
  const controller = new AbortController();
  let written = '';
  const write = (line: string): void => {
    written += `${line}\n`;
    if (until !== undefined && written.includes(until)) controller.abort();
  };
  await runCommand(args, {
    env: { DEAL_SIGNALS_URL: url, DEAL_SIGNALS_API_KEY: 'key', DEAL_SIGNALS_WEBHOOK_SECRET: SECRET },
    input: () => Readable.from([input]),
    print: write,
    report: write,
    showProgress: null,
    signal: controller.signal,
  });
  return written;
}

function expectHarmless(written: string): void {
  expect(written).toContain('whsec_x');
  expect(written).not.toMatch(CONTROL_CHARACTERS);
  expect(written).not.toMatch(/^Signing secret/m);
}

/** An API with a single hostile event that is returned again and again. */
function hostileFeeds({ pathname, searchParams }: URL): object {
  if (pathname.endsWith('/status')) {
    return { apiVersion: '2026-09-01', company: { id: 1, name: HOSTILE } };
  }
  const cursor = Number(searchParams.get('cursor') ?? 0) + 1;
  const actor = { name: HOSTILE, email: null };
  const event = { id: String(cursor), type: HOSTILE, actor, demoTitle: HOSTILE, metadata: {} };
  return {
    data: pathname.endsWith('/engagement/events') ? [event] : [],
    nextCursor: String(cursor),
    hasMore: false,
  };
}

const LISTEN = ['listen', '--poll-seconds', '0.1', '--forward-to'];
const TAIL = ['tail', '--poll-seconds', '0.1', '--feeds', 'engagement/events'];

test.each([['sync', '--to', 'ndjson'], TAIL, [...LISTEN, 'http://127.0.0.1:1']])(
  '%s prints the error of an API',
  async (...args) => {
    const url = await startApi(() => ({ status: 401, error: HOSTILE, code: HOSTILE }));
    const words = args.map((word) => (word === 'ndjson' ? `ndjson:${temporaryFolder()}` : word));
    expectHarmless(await run(words, url));
  },
);

test('sync prints the reason for a wait', async () => {
  const url = await startApi(() => ({ status: 503, error: HOSTILE }));
  expectHarmless(await run(['sync', '--to', `ndjson:${temporaryFolder()}`], url, 'trying again'));
});

test('listen prints the name of the workspace, each event and the result of its delivery', async () => {
  const url = await startApi(hostileFeeds);
  const written = await run([...LISTEN, 'http://127.0.0.1:1/'], url, '-> ');
  expectHarmless(written);
  expect(written).toContain(`Forwarding the events of ${SHOWN} to http://127.0.0.1:1/.`);
});

test('tail prints records for people, and as the same JSON', async () => {
  const url = await startApi(hostileFeeds);
  expectHarmless(await run(TAIL, url, 'whsec_x'));
  const written = await run([...TAIL, '--json'], url, 'whsec_x');
  expectHarmless(written);
  const [, line = ''] = written.split('\n');
  expect(JSON.parse(line)).toMatchObject({ record: { type: HOSTILE, actor: { name: HOSTILE } } });
});

test('mcp writes the same message', async () => {
  const url = await startApi((_url, body) => ({ jsonrpc: '2.0', id: JSON.parse(body).id, result: HOSTILE }));
  const written = await run(['mcp'], url, undefined, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  expectHarmless(written);
  expect(JSON.parse(written)).toEqual({ jsonrpc: '2.0', id: 1, result: HOSTILE });
});

test('verify prints the type of a delivery', async () => {
  const body = JSON.stringify({ ...JSON.parse(BODY), type: HOSTILE });
  const file = path.join(temporaryFolder(), 'delivery');
  writeFileSync(file, JSON.stringify({ headers: serviceHeaders(body, [SECRET], new Date()), body }));
  expectHarmless(await run(['verify', file]));
});

test('an unknown command is named', async () => expectHarmless(await run([HOSTILE])));
