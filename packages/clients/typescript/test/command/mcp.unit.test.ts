import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from '@jest/globals';
import { runCommand } from '../../src/command/run-command.ts';
import { refuse, type ScriptedApi, startScriptedApi, type Step } from '../feeds/scripted-api.ts';

let api: ScriptedApi;

afterEach(() => api.close());

/** A running `deal-signals mcp`. */
interface Running {
  /** Sends a line to it. */
  send(line: object | string): void;
  /** Sends bytes to it, without a line break. Waits until the buffer has room for more. */
  sendBytes(bytes: Buffer): Promise<void>;
  /** The messages that it has written. */
  readonly written: unknown[];
  readonly reports: string[];
  /** Sends Ctrl-C. */
  interrupt(): void;
  /** Waits until it has written a number of messages. */
  untilWritten(count: number): Promise<void>;
  /** Closes its input, and waits until it ends. */
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
    sendBytes: (bytes) => new Promise((resolve) => input.write(bytes, () => resolve())),
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

/** Responds to every request with a result, and records the requests. */
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

/** Refuses with the error format of the MCP route. */
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

test('forwards requests with the key and the negotiated version, and writes the responses', async () => {
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

/** A call of revision 2026-07-28. */
const modern = (params: object) => ({
  ...CALL,
  params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, ...params },
});

test.each([
  ['find_rooms', 'find_rooms'],
  ['Zoë\r\nX: y', '=?base64?Wm/Dqw0KWDogeQ==?='],
  ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
])(
  'copies the fields of a request of revision 2026-07-28 to headers, with the tool %j',
  async (name, sent) => {
    const seen: { headers: any; url: unknown; message: any }[] = [];
    const command = await start(answer({}, seen));
    command.send(modern({ name }));
    command.send({ ...modern({}), id: 'b', method: 'server/discover' });
    await command.untilWritten(2);
    await command.end();
    const headers = seen
      .toSorted((a, b) => a.message.id.localeCompare(b.message.id))
      .map(({ headers: one }) => [one['mcp-protocol-version'], one['mcp-method'], one['mcp-name']]);
    expect(headers).toEqual([
      ['2026-07-28', 'tools/call', sent],
      ['2026-07-28', 'server/discover', undefined],
    ]);
  },
);

test.each([
  [400, { code: -32_022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } }],
  [404, { code: -32_601, message: 'Method not found' }],
])(
  'forwards a protocol error with the status %d, which tells the assistant how to continue',
  async (status, error) => {
    const command = await start((response) =>
      response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id: 'a', error })),
    );
    command.send(modern({ name: 'find_rooms' }));
    await command.untilWritten(1);
    await command.end();
    expect([command.written, command.reports]).toEqual([[{ jsonrpc: '2.0', id: 'a', error }], []]);
  },
);

test('finishes the requests that have arrived when its input ends', async () => {
  const command = await start(answer({}));
  command.send(CALL);
  command.send({ ...CALL, id: 'b' });
  expect(await command.end()).toBe(0);
  expect(command.written).toHaveLength(2);
});

/** Returns the bytes of buffers in use, after a garbage collection. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

describe('only a line feed ends a message', () => {
  // Node.js 24 treats the last two as line breaks, too. JSON allows a CR between its tokens, and the others within texts.
  test.each([
    ['CR', '{"jsonrpc":"2.0",\r"id":"a",\r\r"method":"tools/call"}', undefined],
    ['NEL', '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":"\u0085"}', '\u0085'],
    ['VT and FF', '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":"\\u000b\\f"}', '\v\f'],
    ['U+2028', '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":"\u2028"}', '\u2028'],
    ['U+2029', '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":"\u2029"}', '\u2029'],
  ])('not %s', async (_name, line, params) => {
    const seen: { headers: object; url: unknown; message: any }[] = [];
    const command = await start(answer({ ok: 1 }, seen));
    command.send(line);
    expect(await command.end()).toBe(0);
    expect(command.written).toEqual([{ jsonrpc: '2.0', id: 'a', result: { ok: 1 } }]);
    expect(seen.map(({ message }) => message)).toEqual([
      { jsonrpc: '2.0', id: 'a', method: 'tools/call', params },
    ]);
  });

  test('in any chunks, with CR LF, a byte order mark, and without a final line feed', async () => {
    const seen: { headers: object; url: unknown; message: any }[] = [];
    const command = await start(answer({}, seen));
    const [first, second] = ['Zoë 😀 \u2028', '東京'].map((name, id) => ({ ...CALL, id, params: { name } }));
    const text = `\uFEFF${JSON.stringify(first)}\r\n \n\n${JSON.stringify(second)}`;
    for (const byte of Buffer.from(text)) await command.sendBytes(Buffer.of(byte));
    expect(await command.end()).toBe(0);
    expect(seen.map(({ message }) => message).toSorted((a, b) => a.id - b.id)).toEqual([first, second]);
  });

  test('a line that is not UTF-8 is an error, and its bytes are not replaced', async () => {
    const command = await start(answer({}));
    await command.sendBytes(Buffer.from(JSON.stringify({ ...CALL, id: 'é' }), 'latin1'));
    command.send('');
    command.send(CALL);
    await command.end();
    expect(command.written).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'the line is not JSON in UTF-8' } },
      { jsonrpc: '2.0', id: 'a', result: {} },
    ]);
    expect(api.requests).toHaveLength(1);
  });

  test('an endless line is not buffered, and the next line is read', async () => {
    const command = await start(answer({}));
    const before = memoryInUse();
    for (let megabytes = 0; megabytes < 256; megabytes += 1) {
      await command.sendBytes(Buffer.alloc(1_024 * 1_024, 'x'));
    }
    expect(memoryInUse() - before).toBeLessThan(128 * 1_024 * 1_024);
    command.send('');
    command.send(CALL);
    await command.end();
    expect(command.written).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringContaining('too long') } },
      { jsonrpc: '2.0', id: 'a', result: {} },
    ]);
  });
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
    ['an API without MCP', refuse(404, 'NOT_FOUND'), 'Is DEAL_SIGNALS_URL right?'],
    [
      'another server',
      (response) => response.end('<html>Welcome</html>'),
      'did not respond like the Deal Signals API',
    ],
    [
      'a response to another request',
      (response) => response.end('{"jsonrpc":"2.0","id":9}'),
      'did not respond',
    ],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), '302'],
    [
      'a rate limit that lasts longer than the assistant waits',
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

test('repeats a request while the API is briefly unavailable', async () => {
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

test('Ctrl-C ends it during any wait', async () => {
  let arrived = (): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const command = await start(() => arrived());
  command.send(CALL);
  await arrival;
  command.interrupt();
  expect(await command.end()).toBe(0);
  expect(command.written).toEqual([]);
});
