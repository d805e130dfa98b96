import { second, uuid } from '@deal-signals/test-kit/worlds/ids';
import { NEIGHBOUR_ID, NEIGHBOUR_INTEGER } from '@deal-signals/test-kit/worlds/neighbour';
import * as fc from 'fast-check';
import { ROUTES } from '../../../src/app.ts';
import { CONSOLE_API_PATH } from '../../../src/console/router.ts';
import { CONSOLE_ROUTES } from '../../../src/console/routes.ts';
import { timeCursors } from '../../../src/http/pagination.ts';
import type { Route } from '../../../src/http/route.ts';

/** A request that is neither escaped nor checked. */
export interface HostileRequest {
  method: string;
  path: string;
  query: [string, string][];
  headers: [string, string][];
  body: Buffer | null;
}

/** The bytes of a request. Placeholders of credentials are replaced, and nothing is escaped. */
export function bytesOf(
  { method, path, query, headers, body }: HostileRequest,
  credentials: Readonly<Record<string, string>>,
): Buffer {
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const lines = [
    `${method} ${path.startsWith(CONSOLE_API_PATH) ? '' : '/api/v1'}${path}${search === '' ? '' : `?${search}`} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers.map(
      ([name, value]) => `${name}: ${value.replace(/\b[A-Z_]+$/, (word) => credentials[word] ?? word)}`,
    ),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}

const encoded = (text: fc.Arbitrary<string>) => text.map((value) => escapeAll(value));
/** Like `encodeURIComponent`, which throws for unpaired surrogates. */
const escapeAll = (text: string) =>
  Array.from(Buffer.from(text, 'utf8'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

const garbage: fc.Arbitrary<string> = fc.oneof(
  encoded(fc.string({ unit: 'binary', maxLength: 40 })),
  fc.constantFrom(
    '',
    '%',
    '%0',
    '%zz',
    '%00',
    '%ed%a0%80',
    '%F0%9F',
    '%c0%af',
    '%2e%2e%2f',
    '..',
    '%0d%0aX-Evil:%201',
    '+',
    '&',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-1',
    '0',
    '1e3',
    '0x10',
    '1.5',
    '99999999999999999999',
    '[]',
    '{}',
    "'%20OR%201=1--",
    '%24%7Bjndi%7D',
    '{{7*7}}',
    '__proto__',
    'constructor',
    '%EF%BB%BF1',
    '%D9%A1',
    'x'.repeat(8_000),
  ),
);

const malformedIds = garbage.map((text) => text.replace(/^$/, '%20'));
const integers = fc.oneof(
  { weight: 2, arbitrary: fc.constant(String(NEIGHBOUR_INTEGER)) },
  { weight: 1, arbitrary: fc.constantFrom('1', '2147483647', '2147483648', '0') },
  { weight: 1, arbitrary: malformedIds },
);
const uuids = fc.oneof(
  fc.constantFrom(uuid(1), uuid(99), NEIGHBOUR_ID, NEIGHBOUR_ID.toUpperCase()),
  malformedIds,
);

const positions: fc.Arbitrary<unknown> = fc.record(
  {
    feed: fc.oneof(
      fc.constantFrom('calls', 'decision-rooms', 'engagement/events', 'esign-documents', '__proto__'),
      fc.jsonValue(),
    ),
    at: fc.oneof(
      fc.constantFrom(0, -1, 0.5, 1e300, -62_135_596_800_001, 253_402_300_800_000, 2 ** 53, '0', null),
      fc.jsonValue(),
    ),
    id: fc.oneof(fc.constantFrom(uuid(1), NEIGHBOUR_ID, 'x', `${uuid(1)}\0`, 5, null), fc.jsonValue()),
    ['__proto__']: fc.constant({ feed: 'calls' }),
  },
  { requiredKeys: [] },
);

/** Cursors in the form of the feed itself, with impossible times. */
const impossibleCursors = fc
  .record({
    feed: fc.constantFrom('calls', 'decision-rooms', 'esign-documents', 'people'),
    at: fc.constantFrom(
      -62_135_596_800_001,
      253_402_300_800_000,
      8.64e15,
      -8.64e15,
      8.64e15 + 1,
      2 ** 53,
      1e300,
      0.5,
    ),
    id: fc.constantFrom(uuid(1), NEIGHBOUR_ID),
  })
  .map((position) => base64url(JSON.stringify(position)));

const cursors = fc.oneof(
  impossibleCursors,
  garbage,
  fc.constantFrom(
    `before-${NEIGHBOUR_INTEGER + 1}`,
    'before-999999999999999999',
    'before-',
    'before--1',
    'BEFORE-1',
  ),
  fc.constantFrom('0', '1000000000000', '999999999999999999', '1000000000000000000', '-1', '1.0', '٣', '0x1'),
  fc.tuple(fc.constantFrom('calls', 'decision-rooms', 'webhooks'), fc.nat(80)).map(([feed, length]) =>
    timeCursors(feed)
      .write({ at: second(1), id: NEIGHBOUR_ID })
      .slice(0, length === 0 ? undefined : -length),
  ),
  positions.map((position) => base64url(JSON.stringify(position))),

  fc
    .constantFrom(
      '{"feed":"calls","at":NaN}',
      '{"feed":"calls","at":1e999,"id":0}',
      '[]',
      'null',
      '{',
      '['.repeat(5_000),
    )
    .map(base64url),
);

const values = fc.oneof(
  garbage,
  cursors,
  uuids,
  integers,
  fc.constantFrom(
    '1',
    '500',
    '501',
    'demo',
    'open',
    'true',
    'pending',
    'desc',
    'of-the-neighbour',
    'room_visit',
    '2026-01-01',
    '9999-12-31T23:59:59.999-23:59',
  ),
  fc
    .array(fc.constantFrom('room_visit', '', '%20', '%00', '%F0%9F%98%80'), { maxLength: 30 })
    .map((list) => list.join(',')),
);

const authorizations = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Bearer KEY', 'Bearer SESSION') },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom(
        'Bearer REVOKED',
        'Bearer EXPIRED',
        'bearer  KEY',
        'Basic KEY',
        'KEY',
        'Bearer',
        'Bearer ',
        'Bearer KEY KEY',
      ),
      fc.constantFrom(
        'Bearer a.b.c',
        'Bearer ..',
        `Bearer ${'x'.repeat(8_000)}`,
        `Bearer ${base64url('{"alg":"none"}')}.e30.`,
      ),
      headerText().map((text) => `Bearer ${text}`),
      headerText(),
    ),
  },
);

/** Any text that HTTP allows in a header, including tabs and the upper half of Latin-1. */
function headerText(): fc.Arbitrary<string> {
  return fc
    .array(
      fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.constant(9), fc.integer({ min: 0x80, max: 0xff })),
      { maxLength: 60 },
    )
    .map((codes) => String.fromCharCode(...codes).trim());
}

const furtherHeaders = fc.oneof(
  fc.constant<[string, string][]>([]),
  fc.array(
    fc.oneof(
      fc.tuple(
        fc.constantFrom(
          'X-Request-Id',
          'If-None-Match',
          'Accept',
          'Accept-Language',
          'Origin',
          'Cookie',
          'Range',
        ),
        headerText(),
      ),
      fc.tuple(
        fc.constant('If-None-Match'),
        fc.constantFrom('*', '"x"', 'W/"x", "y"', `"${'x'.repeat(5_000)}"`),
      ),
      fc.tuple(
        fc.constant('Content-Type'),
        fc.constantFrom(
          'application/json',
          'text/plain',
          'application/json; charset=utf-16',
          'application/json; charset=x',
          ';',
          '',
        ),
      ),
      fc.tuple(
        fc.constant('Content-Encoding'),
        fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'x', ''),
      ),
      fc.tuple(fc.constant('Accept-Encoding'), fc.constantFrom('gzip', 'identity', '*;q=0', 'gzip;q=x', '')),
      fc.tuple(
        fc.constantFrom('X-HTTP-Method-Override', 'X-Forwarded-Host', 'X-Original-URL', 'Expect', 'Upgrade'),
        fc.constantFrom('DELETE', '2', '/api/v1/status', 'nonsense'),
      ),
    ),
    { maxLength: 4 },
  ),
);

/** Endpoints with this URL are pinged as well, so it must stay on this machine. Nothing listens there. */
const LOOPBACK_HOOK = 'https://127.0.0.1:1/hook';

const badText = fc.constantFrom(
  '\0',
  'a\0b',
  '\ud800',
  '',
  ' ',
  'x'.repeat(5_000),
  'https://a b',
  'https://[::1]:99999',
  'http:x',
);
const fields = fc.dictionary(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'name',
        'url',
        'events',
        'description',
        'enabled',
        'since',
        'headers',
        'maxPerMinute',
        'filter',
        'nextSince',
        'dryRun',
        'endpointId',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('companyId', 'id', '__proto__', 'constructor', 'toString') },
  ),
  fc.oneof(
    fc.constantFrom<unknown>(
      'x',
      LOOPBACK_HOOK,
      'https://127.0.0.1',
      ['*'],
      ['engagement.recorded'],
      true,
      null,
      2,
    ),
    badText,
    fc.constantFrom<unknown>(['*', 7], [[]], {}, { 'X-Key': 'x' }, { constructor: 'x', __proto__: 'y' }),
    fc.jsonValue(),
  ),
);
/** Mostly valid fields. */
const nearlyGood = fc.record(
  {
    name: fc.oneof(fc.constant('x'), badText),
    url: fc.oneof(fc.constant(LOOPBACK_HOOK), badText),
    events: fc.constant(['*']),
    description: fc.oneof(fc.constantFrom('x', null), badText),
    enabled: fc.boolean(),
    headers: fc.oneof(
      fc.constantFrom({ 'X-Key': 'x' }, { set: null }, null),
      fc.dictionary(badText, badText),
    ),
    maxPerMinute: fc.oneof(fc.constantFrom(5, null), badText),
    filter: fc.oneof(fc.constantFrom({ type: 'x' }, null), fc.dictionary(badText, fc.jsonValue())),
    since: fc.oneof(fc.constant('2026-01-01'), badText),
  },
  { requiredKeys: ['events'] },
);

const bodies: fc.Arbitrary<Buffer | null> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(fields, nearlyGood).map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.constant(null),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fields.map((value) => Buffer.from(JSON.stringify(value)).subarray(0, -1)),
      fields.map((value) => Buffer.from(`\ufeff${JSON.stringify(value)}`)),
      fields.map((value) => Buffer.from(JSON.stringify(value), 'utf16le')),
      fc
        .constantFrom(
          `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
          `{"events":${'['.repeat(40_000)}${']'.repeat(40_000)}}`,
          `${'{"name":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
          `{"name":"${'x'.repeat(102_380)}"}`,
          `{"name":"${'x'.repeat(300_000)}"}`,
          '{"__proto__":{"enabled":false},"constructor":{"prototype":{"isAdmin":true}},"name":"x"}',
          '{"name":"a","name":{"toString":1}}',
          '{"name":"\\ud800","url":"\\u0000"}',
          '{"name":1e999}',
        )
        .map((text) => Buffer.from(text)),
    ),
  },
);

/** The routes of the API and of the console. Those of the console have their whole path. */
export const ALL_ROUTES: readonly Route[] = [
  ...ROUTES,
  ...CONSOLE_ROUTES.map((route) => ({ ...route, path: `${CONSOLE_API_PATH}${route.path}` })),
];

/** Reports whether the objects of a path have integer ids. */
export const hasIntegerIds = (path: string): boolean =>
  /^(\/console\/api)?\/(webhooks|webhook-deliveries|api-keys)\b/.test(path);

/** Requests to a route, most of them valid enough to pass the first checks. */
export function requestsTo(route: Route): fc.Arbitrary<HostileRequest> {
  const parameters = Object.keys(route.query?.shape ?? {});
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...parameters, 'limit', 'cursor') },
    {
      weight: 1,
      arbitrary: fc.oneof(
        garbage,
        fc.constantFrom('limit[]', 'cursor[a]', '__proto__', 'companyId', 'company_id'),
      ),
    },
  );
  const parts = route.path
    .split('/')
    .map((part) =>
      part.startsWith(':') ? (hasIntegerIds(route.path) ? integers : uuids) : fc.constant(part),
    );
  const path = fc.tuple(...parts).map((chosen) => chosen.join('/'));
  const right = route.access === 'key' ? 'Bearer KEY' : 'Bearer SESSION';
  return fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant<string>(route.method) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'GET',
          'HEAD',
          'POST',
          'PUT',
          'PATCH',
          'DELETE',
          'OPTIONS',
          'TRACE',
          'PROPFIND',
        ),
      },
    ),
    path: fc.oneof(
      { weight: 9, arbitrary: path },
      { weight: 1, arbitrary: fc.tuple(path, garbage).map((both) => both.join('/')) },
    ),
    query: fc.oneof(
      { weight: 2, arbitrary: fc.tuple(fc.constant('cursor'), cursors).map((only) => [only]) },
      { weight: 3, arbitrary: fc.array(fc.tuple(names, values), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(fc.tuple(names, values), { maxLength: 12 }) },
    ),
    headers: fc
      .tuple(
        fc.oneof({ weight: 5, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: authorizations }),
        furtherHeaders,
      )
      .map(([authorization, others]): [string, string][] => [['Authorization', authorization], ...others]),
    body:
      route.body === undefined
        ? fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: bodies })
        : bodies,
  });
}
