import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { runCommand } from '../../src/command/run-command.ts';
import { refuse, type ScriptedApi, startScriptedApi, type Step } from '../feeds/scripted-api.ts';

let api: ScriptedApi;

afterEach(() => api.close());

/** A running `deal-signals mcp`. */
interface Running {
  /** Sends a line to it. */
  send(line: object | string): void;
  /** The messages that it has written. */
  readonly written: unknown[];
  readonly reports: string[];
  /** Sends Ctrl-C. */
  interrupt(): void;
  /** Waits until it has written so many messages. */
  untilWritten(count: number): Promise<void>;
  /** Closes its input, and waits for its end. */
  end(): Promise<number>;
}

async function start(...script: [Step, ...Step[]]): Promise<Running> {
  api = await startScriptedApi(...script);
  const input = new PassThrough();
  const controller = new AbortController();
  const written: unknown[] = [];
  const reports: string[] = [];
  let notify = (): void => undefined;
  const ended = runCommand(['mcp'], {
    env: { DEAL_SIGNALS_URL: api.url, DEAL_SIGNALS_API_KEY: 'key' },
    input: () => input,
    print(line) {
      written.push(JSON.parse(line));
      notify();
    },
    report: (line) => reports.push(line),
    showProgress: null,
    signal: controller.signal,
  });
  return {
    written,
    reports,
    send: (line) => input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    interrupt: () => controller.abort(),
    async untilWritten(count) {
      while (written.length < count) await new Promise<void>((resolve) => (notify = resolve));
    },
    end() {
      input.end();
      return ended;
    },
  };
}

/** Responds with a result to whatever was asked, and remembers it. */
function answer(result: object, seen: { headers: object; url: unknown; message: any }[] = []): Step {
  return (response, request) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      seen.push({ headers: request.headers, url: request.url, message });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
  };
}

/** Refuses as the API does there. */
function refuseMcp(status: number, code: string): Step {
  return (response) =>
    response.writeHead(status).end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_000, message: `${code}: about ${code}. Tell the user.`, data: { code } },
      }),
    );
}

const INITIALIZE = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
const CALL = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'find_rooms' } };

test('passes requests on, with the key and the version that was agreed on, and writes the responses', async () => {
  const seen: { headers: any; url: unknown; message: any }[] = [];
  const command = await start(answer({ protocolVersion: '2025-06-18' }, seen));
  command.send(INITIALIZE);
  await command.untilWritten(1);
  command.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  command.send('');
  command.send(CALL);
  await command.untilWritten(2);
  expect(await command.end()).toBe(0);
  expect(command.written).toEqual([
    { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } },
    { jsonrpc: '2.0', id: 'a', result: { protocolVersion: '2025-06-18' } },
  ]);
  expect(seen.map(({ url, message }) => [url, message])).toEqual([
    ['/mcp', INITIALIZE],
    ['/mcp', CALL],
  ]);
  const [first, second] = seen.map(({ headers }) => headers);
  expect(first).toMatchObject({
    authorization: 'Bearer key',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  expect([first['mcp-protocol-version'], second['mcp-protocol-version']]).toEqual([undefined, '2025-06-18']);
  expect(command.reports).toEqual([]);
});

test('finishes the requests that have arrived when its input ends', async () => {
  const command = await start(answer({}));
  command.send(CALL);
  command.send({ ...CALL, id: 'b' });
  expect(await command.end()).toBe(0);
  expect(command.written).toHaveLength(2);
});

describe('a failure is a message that the assistant can show', () => {
  test('the result of a tool if a tool was called, and an error otherwise', async () => {
    const command = await start(refuseMcp(401, 'API_KEY_INVALID'));
    command.send(INITIALIZE);
    await command.untilWritten(1);
    command.send(CALL);
    await command.untilWritten(2);
    await command.end();
    const text =
      'mcp: 401 API_KEY_INVALID about API_KEY_INVALID. Tell the user.\nThe key is wrong, was revoked or has expired. An admin can create another one.';
    expect(command.written).toEqual([
      { jsonrpc: '2.0', id: 0, error: { code: -32_000, message: text } },
      { jsonrpc: '2.0', id: 'a', result: { isError: true, content: [{ type: 'text', text }] } },
    ]);
    expect(command.reports).toEqual([`deal-signals mcp: ${text}`, `deal-signals mcp: ${text}`]);
  });

  test.each<[string, Step, string]>([
    ['an API without it', refuse(404, 'NOT_FOUND'), 'Is DEAL_SIGNALS_URL right?'],
    ['something else', (response) => response.end('<html>Welcome</html>'), 'did not respond as the API does'],
    [
      'a response to another request',
      (response) => response.end('{"jsonrpc":"2.0","id":9}'),
      'did not respond',
    ],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), '302'],
    [
      'a limit that lasts longer than the assistant waits',
      refuse(429, 'RATE_LIMITED', { 'retry-after': '50' }),
      '429',
    ],
  ])('%s', async (_name, step, text) => {
    const command = await start(step);
    command.send(CALL);
    await command.untilWritten(1);
    await command.end();
    const isError = { isError: true, content: [{ type: 'text', text: expect.stringContaining(text) }] };
    expect(command.written).toEqual([{ jsonrpc: '2.0', id: 'a', result: isError }]);
  });

  test.each([
    ['{"jsonrpc"', -32_700],
    ['[]', -32_600],
    ['7', -32_600],
  ])('the line %s', async (line, code) => {
    const command = await start(answer({}));
    command.send(line);
    await command.end();
    expect(command.written).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code } }]);
    expect(api.requests).toEqual([]);
  });
});

test('repeats a request while the API is away for a moment', async () => {
  const command = await start(refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }), answer({ ok: 1 }));
  command.send(CALL);
  await command.untilWritten(1);
  await command.end();
  expect(command.written).toEqual([{ jsonrpc: '2.0', id: 'a', result: { ok: 1 } }]);
});

test('a request that is cancelled gets no response', async () => {
  let arrived = (): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const command = await start(() => arrived());
  command.send(CALL);
  await arrival;
  command.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } });
  expect(await command.end()).toBe(0);
  expect([command.written, command.reports]).toEqual([[], []]);
});

test('Ctrl-C ends it, whatever it waits for', async () => {
  let arrived = (): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const command = await start(() => arrived());
  command.send(CALL);
  await arrival;
  command.interrupt();
  expect(await command.end()).toBe(0);
  expect(command.written).toEqual([]);
});
