import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createClient, type DealSignalsClient } from '../../src/client.ts';
import { readStatus } from '../../src/feeds/read-status.ts';
import type { Repeats } from '../../src/feeds/repeating.ts';
import { refuse, type ScriptedApi, startScriptedApi, type Step } from './scripted-api.ts';

type Scripted = number | 'close' | 'cut' | { status: number; retryAfter: string };

interface Case {
  name: string;
  method: 'GET' | 'POST';
  responses: [Scripted, ...Scripted[]];
  /** Null disables repeats. */
  attempts?: number | null;
  sent: number;
  ends: number | 'error';
}

const { cases } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'repeat-cases.json'), 'utf8')) as {
  cases: Case[];
};

const BODY = { name: 'x' };

let api: ScriptedApi;

afterEach(() => api.close());

function clientOf(repeats: Repeats | false = {}, fetch?: typeof globalThis.fetch): DealSignalsClient {
  return createClient({ url: api.url, apiKey: 'key', repeats, ...(fetch && { fetch }) });
}

function stepOf(scripted: Scripted, bodies: string[]): Step {
  return (response, request) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      if (scripted === 'close') {
        response.destroy();
      } else if (scripted === 'cut') {
        response.writeHead(200, { 'content-length': '1000' }).write('{"data":[');
        setImmediate(() => response.destroy());
      } else {
        const { status, retryAfter } =
          typeof scripted === 'number' ? { status: scripted, retryAfter: null } : scripted;
        response
          .writeHead(status, {
            'content-type': 'application/json',
            ...(retryAfter !== null && { 'retry-after': retryAfter }),
          })
          .end('{"data":{}}');
      }
    });
  };
}

describe('a client sends a call', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const bodies: string[] = [];
    const [first, ...others] = one.responses;
    api = await startScriptedApi(stepOf(first, bodies), ...others.map((step) => stepOf(step, bodies)));
    const client = clientOf(
      one.attempts === null ? false : one.attempts === undefined ? {} : { attempts: one.attempts },
    );
    const call =
      one.method === 'GET'
        ? client.GET('/status')
        : // The operation has another body. The call only shows that a POST is not sent twice.
          client.POST('/webhooks' as never, { body: BODY } as never);
    const ends = await (call as ReturnType<typeof client.GET>).then(
      ({ response }) => response.status,
      () => 'error',
    );
    expect([bodies.length, ends]).toEqual([one.sent, one.ends]);
    if (one.method === 'POST') expect(new Set(bodies)).toEqual(new Set([JSON.stringify(BODY)]));
  });
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with the status %i to another host ends the call, and the host gets nothing',
  async (status) => {
    const other = await startScriptedApi((response) => response.end('{"company":{"id":1}}'));
    api = await startScriptedApi((response) =>
      response.writeHead(status, { location: `${other.url.replace('127.0.0.1', 'localhost')}/status` }).end(),
    );
    const { response } = await clientOf().GET('/status');
    expect([response.status, other.requests]).toEqual([status, []]);
    await expect(readStatus(clientOf(), { giveUpAfterMs: 0 })).rejects.toMatchObject({ status });
    expect(other.requests).toEqual([]);
    await other.close();
  },
);

test('the signal of a call ends its waiting', async () => {
  const controller = new AbortController();
  api = await startScriptedApi((response, request) => {
    refuse(429, 'RATE_LIMITED', { 'retry-after': '60' })(response, request);
    response.on('close', () => setImmediate(() => controller.abort(new Error('enough'))));
  });
  await expect(clientOf().GET('/status', { signal: controller.signal })).rejects.toThrow('enough');
  expect(api.requests).toHaveLength(1);
});

test('a caller that waits by itself waits only once', async () => {
  const waits: string[] = [];
  api = await startScriptedApi(refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }), (response) =>
    response.end('{"company":{"id":1}}'),
  );
  const patience = { giveUpAfterMs: 10_000, onWait: (problem: string) => waits.push(problem) };
  expect(await readStatus(clientOf(), patience)).toEqual({ company: { id: 1 } });
  expect(waits).toEqual(['status: 503 SERVICE_UNAVAILABLE about SERVICE_UNAVAILABLE']);
});
