import { setTimeout as sleep } from 'node:timers/promises';
import { captureJsonSchema } from '@deal-signals/capture/records/json-schema';
import { FLUSH_AFTER_MS } from '@deal-signals/capture/stream/capture-stream';
import { type RunningApp, startApp } from '@deal-signals/test-kit/processes';
import {
  CAPTURE_ENV,
  CAPTURE_TOKEN,
  captureUrlOf,
  openSender,
  sendRecords,
} from '@deal-signals/test-kit/capture-sender';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { createTestRedis } from '@deal-signals/test-kit/servers/test-redis';
import { captureWorkspace, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const BOUND_TOKEN = 'another-token-that-is-bound-to-a-workspace';

let database: TestDatabase;
let api: RunningApp;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await captureWorkspace(database.db);
  api = await startApp('api', {
    DATABASE_URL: database.url,
    REDIS_URL: await createTestRedis(),
    ...CAPTURE_ENV,
    CAPTURE_TOKENS: `${CAPTURE_TOKEN}, ${COMPANY}:${BOUND_TOKEN}`,
  });
  url = await captureUrlOf(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const event = (key: string, more: object = {}) =>
  `${JSON.stringify({
    record: 'event',
    companyId: COMPANY,
    key,
    type: 't',
    occurredAt: '2026-01-01',
    distributionId: LINK,
    ...more,
  })}\n`;

const events = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => event(`${prefix}${n}`)).join('');
const countOf = (prefix: string) =>
  database.db.engagementEvent.count({ where: { key: { startsWith: prefix } } });

describe('POST /records', () => {
  test('stores any number of records, and confirms them in order', async () => {
    const { status, headers, lines } = await sendRecords(url, events('many-', 2_500));
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    const committed = lines.slice(0, -1).map((line) => line.committed ?? NaN);
    expect(committed.length).toBeGreaterThan(2);
    expect(committed).toEqual(committed.toSorted((a, b) => a - b));
    expect(committed.at(-1)).toBe(2_500);
    expect(lines.at(-1)).toEqual({ done: true, captured: 2_500, unchanged: 0, refused: 0 });
    const stored = await database.db.engagementEvent.findMany({
      where: { key: { startsWith: 'many-' } },
      orderBy: { id: 'asc' },
    });
    expect(stored.map(({ key }) => key)).toEqual(Array.from({ length: 2_500 }, (_, n) => `many-${n}`));
  });

  test('confirms the records of a request that stays open', async () => {
    const sender = openSender(url);
    sender.send(event('open-1') + event('open-2').slice(0, 20));
    await sender.untilLine({ committed: 1 });
    expect(await countOf('open-')).toBe(1);
    sender.send(event('open-2').slice(20));
    await sender.untilLine({ committed: 2 });
    const { lines } = await sender.finish();
    expect(lines).toEqual([
      { committed: 1 },
      { committed: 2 },
      { done: true, captured: 2, unchanged: 0, refused: 0 },
    ]);
  });

  test('stops at the first rejected record, after storing those before it', async () => {
    const { status, lines } = await sendRecords(url, `${event('stop-1')}nonsense\n${event('stop-2')}`);
    expect(status).toBe(200);
    expect(lines).toEqual([
      { committed: 1 },
      { line: 2, errors: [{ field: '', message: expect.stringContaining('expected a JSON object') }] },
      { done: true, captured: 1, unchanged: 0, refused: 1 },
    ]);
    expect(await countOf('stop-')).toBe(1);
  });

  test('responds with 422 if the first record is rejected', async () => {
    const { status, lines } = await sendRecords(url, event('first', { distributionId: uuid(99) }));
    expect(status).toBe(422);
    expect(lines).toEqual([
      { line: 1, errors: [{ field: 'distributionId', message: expect.stringContaining('is unknown') }] },
      { done: true, captured: 0, unchanged: 0, refused: 1 },
    ]);
  });

  test('responds with 429 if the first record is an erasure over the limit, and marks each other such record', async () => {
    const erase = (n: number) =>
      `${JSON.stringify({ record: 'erasePerson', companyId: COMPANY, email: `${n}@globex.example` })}\n`;
    const tooMany = [{ field: '', message: expect.stringContaining('again later'), code: 'RATE_LIMITED' }];
    const text = Array.from({ length: 11 }, (_, n) => erase(n)).join('') + event('beside');
    const { status, lines } = await sendRecords(url, text, '?onError=continue');
    expect([status, lines]).toEqual([
      200,
      [
        { line: 11, errors: tooMany },
        { committed: 12 },
        { done: true, captured: 11, unchanged: 0, refused: 1 },
      ],
    ]);
    const again = await sendRecords(url, erase(11));
    expect([again.status, again.headers['retry-after'], again.lines[0]]).toEqual([
      429,
      '10',
      { line: 1, errors: tooMany },
    ]);
  });

  test('stops reading at a rejected record, even if the sender does not stop', async () => {
    const sender = openSender(url);
    sender.send('nonsense\n');
    expect((await sender.ended).status).toBe(422);
  });

  test('skips rejected records with onError=continue', async () => {
    const text = `nonsense\n${event('go-1')}${event('go-2', { distributionId: uuid(99) })}${event('go-3')}`;
    const { status, lines } = await sendRecords(url, text, '?onError=continue');
    expect([status, lines.map(({ line, committed, done }) => line ?? committed ?? done)]).toEqual([
      200,
      [1, 3, 4, true],
    ]);
    expect(lines.at(-1)).toEqual({ done: true, captured: 2, unchanged: 0, refused: 2 });
    expect(await countOf('go-')).toBe(2);
  });

  test('rejects values that cannot be stored, with the name of the field, and stores the other records', async () => {
    const deep = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    const withMetadata = (key: string, json: string) => event(key).replace(/}\n$/, `,"metadata":${json}}\n`);
    const faulty: [json: string, field: string, message: string][] = [
      [deep(65), 'metadata', 'nested too deeply: expected at most 64 levels'],
      [deep(2_500), 'metadata', 'nested too deeply: expected at most 64 levels'],
      [deep(100_000), 'metadata', 'nested too deeply: expected at most 64 levels'],
      [`{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'metadata', 'nested too deeply'],
      ['{"n":12345678901234567890}', 'metadata.n', 'Invalid number: 12345678901234567890'],
      ['{"n":[9007199254740993]}', 'metadata.n.0', 'Invalid number: 9007199254740993'],
      ['{"n":1e400}', 'metadata.n', 'Invalid number: 1e400'],
      ['{"__proto__":1}', 'metadata.__proto__', 'Invalid name: __proto__'],
    ];
    for (const [n, [json, field, message]] of faulty.entries()) {
      const text = `${event(`kept-${n}-a`)}${withMetadata(`kept-${n}`, json)}${event(`kept-${n}-b`)}${event(`kept-${n}-c`)}`;
      const { status, lines } = await sendRecords(url, text, '?onError=continue');
      expect([status, ...lines.filter((line) => line.errors)]).toEqual([
        200,
        { line: 2, errors: [{ field, message: expect.stringContaining(message) }] },
      ]);
      expect(lines.at(-1)).toEqual({ done: true, captured: 3, unchanged: 0, refused: 1 });
    }
    expect(await countOf('kept-')).toBe(3 * faulty.length);
    const metadata = `{"deep":${deep(63)},"n":-9007199254740991,"x":0.30000000000000004,"y":1e308}`;
    await sendRecords(url, withMetadata('exact', metadata));
    const stored = await database.db.engagementEvent.findFirstOrThrow({ where: { key: 'exact' } });
    expect(stored.metadata).toEqual(JSON.parse(metadata));
    expect(JSON.parse(stored.objectText).metadata).toEqual(JSON.parse(metadata));
  });

  test('checks and stores nothing with dryRun=true', async () => {
    const text = event('dry-1') + event('dry-2', { distributionId: uuid(99) });
    const { lines } = await sendRecords(url, text, '?dryRun=true&onError=continue');
    expect(lines).toMatchObject([
      { line: 2 },
      { checked: 2 },
      { done: true, dryRun: true, captured: 1, unchanged: 0, validated: 0, refused: 1 },
    ]);
    expect(await countOf('dry-')).toBe(0);
  });

  test('checks the records of a slow dry run together, and validates those beyond the first batch', async () => {
    const link = uuid(97);
    const sender = openSender(url, '?dryRun=true');
    sender.send(
      `${JSON.stringify({ record: 'distribution', companyId: COMPANY, id: link, roomId: ROOM, recipientName: 'x', recipientEmail: null })}\n`,
    );
    await sleep(3 * FLUSH_AFTER_MS);
    for (let n = 0; n < 1_000; n += 1) sender.send(event(`dry-${n}`, { distributionId: link }));
    expect((await sender.finish()).lines).toEqual([
      { checked: 1_000 },
      { checked: 1_001 },
      { done: true, dryRun: true, captured: 1_000, unchanged: 0, validated: 1, refused: 0 },
    ]);
    expect(await countOf('dry-')).toBe(0);
  });

  test('counts records that were captured before, and reports all errors of a record', async () => {
    const twice = event('twice');
    expect((await sendRecords(url, twice + twice)).lines.at(-1)).toMatchObject({ captured: 1, unchanged: 1 });
    const wrong = event('wrong', { type: 'a,b', colour: 'red' });
    const { lines } = await sendRecords(url, wrong);
    expect(lines[0]).toEqual({
      line: 1,
      errors: [
        { field: 'colour', message: expect.any(String) },
        { field: 'type', message: expect.any(String) },
      ],
    });
  });

  test('accepts unknown fields with lenient=true, and sends nothing with noWebhooks=true', async () => {
    const endpointId = await addEndpoint(database.db, { events: ['*'] });
    const { lines } = await sendRecords(
      url,
      event('quiet', { colour: 'red' }),
      '?lenient=true&noWebhooks=true',
    );
    expect(lines.at(-1)).toEqual({ done: true, captured: 1, unchanged: 0, refused: 0 });
    expect(await database.db.delivery.count({ where: { endpointId } })).toBe(0);
    await sendRecords(url, event('loud'));
    expect(await database.db.delivery.count({ where: { endpointId } })).toBe(1);
  });

  test('responds with 503 and Retry-After while another transaction writes to the workspace', async () => {
    const response = await database.db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT take_feed_clock(${COMPANY})`;
      return sendRecords(url, event('busy'));
    });
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.lines).toEqual([
      { error: 'the workspace is busy; try again later', code: 'SERVICE_UNAVAILABLE' },
    ]);
    expect((await sendRecords(url, event('busy'))).lines.at(-1)).toMatchObject({ captured: 1 });
  }, 30_000);

  test('serves the JSON Schema of the records', async () => {
    const response = await fetch(`${url}/records.schema.json`);
    expect(await response.json()).toEqual(captureJsonSchema());
  });

  test('accepts single records from many connections at the same time', async () => {
    const sent = Array.from({ length: 90 }, (_, n) => sendRecords(url, event(`single-${n}`)));
    const results = await Promise.all(sent);
    expect(new Set(results.map(({ lines }) => JSON.stringify(lines)))).toEqual(
      new Set([JSON.stringify([{ committed: 1 }, { done: true, captured: 1, unchanged: 0, refused: 0 }])]),
    );
    expect(await countOf('single-')).toBe(90);
  });

  test('passes the trace of a request on to the events of its records, and to no others', async () => {
    const { db } = database;
    await addEndpoint(db, { events: ['engagement.recorded'] });
    const traceOf = (n: number) => n.toString(16).padStart(32, '0');
    const headersOf = (n: number) =>
      n === 0 ? undefined : { traceparent: `00-${traceOf(n)}-00f067aa0ba902b7-00` };
    const sent = Array.from({ length: 30 }, (_, n) =>
      sendRecords(url, event(`traced-${n}`) + event(`traced-too-${n}`), '', CAPTURE_TOKEN, headersOf(n)),
    );
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
    const keyOf = new Map(
      (await db.engagementEvent.findMany({ where: { key: { startsWith: 'traced-' } } })).map(
        ({ id, key }) => [String(id), key],
      ),
    );
    const traces = (await db.webhookEvent.findMany()).flatMap(({ body, traceId, captureSpan }) => {
      const key = keyOf.get(JSON.parse(body).data.id);
      return key === undefined ? [] : [[key, [traceId?.replaceAll('-', '') ?? null, captureSpan]]];
    });
    const expected = Array.from({ length: 30 }, (_, n) =>
      n === 0 ? [null, null] : [traceOf(n), '00f067aa0ba902b7-00'],
    ).flatMap((trace, n) => [
      [`traced-${n}`, trace],
      [`traced-too-${n}`, trace],
    ]);
    expect(Object.fromEntries(traces)).toEqual(Object.fromEntries(expected));
    await api.waitForOutput(`"traceId":"${traceOf(29)}"`);
  });

  test('accepts an empty body', async () => {
    expect((await sendRecords(url, '')).lines).toEqual([
      { done: true, captured: 0, unchanged: 0, refused: 0 },
    ]);
  });

  test.each([
    ['an unknown parameter', '?dryrun=true', 'dryrun'],
    ['an unknown value', '?onError=ignore', 'onError'],
    ['a repeated parameter', '?dryRun=true&dryRun=false', 'dryRun'],
  ])('rejects %s, and stores nothing', async (_what, query, name) => {
    const { status, lines } = await sendRecords(url, event('parameter'), query);
    expect(status).toBe(400);
    expect(lines).toEqual([{ error: expect.stringContaining(name), code: 'INVALID_REQUEST' }]);
    expect(await countOf('parameter')).toBe(0);
  });

  test('rejects a compressed body', async () => {
    const response = await fetch(`${url}/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CAPTURE_TOKEN}`, 'content-encoding': 'gzip' },
      body: event('compressed'),
    });
    expect([response.status, (await response.json()).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('the credential', () => {
  test('must be one of the tokens; all other credentials are rejected before a record is read', async () => {
    const key = await addKey(database.db, COMPANY);
    const session = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl';
    for (const token of [
      null,
      'nonsense',
      CAPTURE_TOKEN.slice(1),
      `${CAPTURE_TOKEN}x`,
      key,
      session,
      BOUND_TOKEN.toUpperCase(),
    ]) {
      const { status, headers, lines } = await sendRecords(url, event('stranger'), '', token);
      expect([token, status, headers['www-authenticate']]).toEqual([token, 401, 'Bearer']);
      expect(lines).toEqual([{ error: expect.any(String), code: 'CAPTURE_TOKEN_INVALID' }]);
    }
    expect(await countOf('stranger')).toBe(0);
  });

  test('may be bound to a workspace', async () => {
    const other = COMPANY + 1;
    const company = `${JSON.stringify({ record: 'company', id: other, name: 'Other' })}\n`;
    await sendRecords(url, company);
    const { lines } = await sendRecords(
      url,
      event('bound-1') + event('bound-2', { companyId: other }) + company,
      '?onError=continue',
      BOUND_TOKEN,
    );
    const message = expect.stringContaining(`expected ${COMPANY}`);
    expect(lines).toEqual([
      { line: 2, errors: [{ field: 'companyId', message }] },
      { line: 3, errors: [{ field: 'id', message }] },
      { committed: 3 },
      { done: true, captured: 1, unchanged: 0, refused: 2 },
    ]);
    // The prefix is not part of the token.
    expect((await sendRecords(url, event('bound-3'), '', `${COMPANY}:${BOUND_TOKEN}`)).status).toBe(401);
  });
});

describe('the two ports', () => {
  const statusOf = async (address: string, method = 'GET') => {
    const response = await fetch(address, { method, headers: { authorization: `Bearer ${CAPTURE_TOKEN}` } });
    await response.arrayBuffer();
    return response.status;
  };

  test('share nothing except health', async () => {
    expect(await statusOf(`${api.baseUrl}/records`, 'POST')).toBe(404);
    expect(await statusOf(`${api.url}/records`, 'POST')).toBe(404);
    expect(await statusOf(`${url}/api/v1/status`)).toBe(404);
    expect(await statusOf(`${url}/metrics`)).toBe(404);
    expect(await statusOf(`${url}/records`)).toBe(405);
    for (const path of ['/healthz', '/readyz', '/openapi.json']) expect(await statusOf(url + path)).toBe(200);
  });

  test('appear in the metrics and in one log line for each request', async () => {
    const values = async () => {
      const text = await (await fetch(`${api.url}/metrics`)).text();
      return ['captured', 'refused'].map((result) =>
        Number(
          new RegExp(`^deal_signals_captured_records_total\\{result="${result}"\\} (\\d+)`, 'm').exec(
            text,
          )?.[1],
        ),
      );
    };
    const [captured = NaN, refused = NaN] = await values();
    await sendRecords(url, `${event('metric-1')}${event('metric-2')}nonsense\n`);
    await sendRecords(url, event('metric-3'), '?dryRun=true');
    expect(await values()).toEqual([captured + 2, refused + 1]);
    await api.waitForOutput(/"captured":2,.*"refused":1/);
    const line =
      api
        .output()
        .split('\n')
        .find((one) => /"captured":2,.*"refused":1/.test(one)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      message: 'request',
      method: 'POST',
      route: '/records',
      statusCode: 200,
      lastLine: 2,
    });
    expect(api.output()).not.toContain(CAPTURE_TOKEN);
  });
});
