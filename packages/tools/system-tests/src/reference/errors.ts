import { MAX_OPEN_ERASURES } from '@deal-signals/capture/erasures/begin';
import { maxHeaderSize } from 'node:http';
import { LIMITS, TEXT_LIMIT } from '@deal-signals/capture/records/limits';
import { MAX_LINE_BYTES } from '@deal-signals/capture/stream/read-ndjson';
import { MAX_PER_MINUTE } from '@deal-signals/deliveries/endpoints/rate-limit';
import { MAX_DISMISSED } from '@deal-signals/deliveries/admin-actions/dismiss';
import { MAX_RETRIED } from '@deal-signals/deliveries/admin-actions/retry';
import { DISABLE_AFTER } from '@deal-signals/deliveries/settings';
import { MAX_BYTES, MAX_CONDITIONS, MAX_DEPTH } from '@deal-signals/outbox/filter/filter-problem';
import {
  MAX_CHARACTERS,
  MAX_HEADERS,
  MAX_NAME_CHARACTERS as MAX_HEADER_NAME_CHARACTERS,
  MAX_VALUE_CHARACTERS,
} from '@deal-signals/sending/headers/custom-headers';
import { MAX_URL_CHARACTERS } from '@deal-signals/sending/guard/endpoint-url';
import {
  EXCERPT_BYTES,
  MAX_BODY_BYTES as MAX_RESPONSE_BYTES,
} from '@deal-signals/sending/guard/response-excerpt';
import { MAX_LOOKED_AT } from '@deal-signals/serializers/engagement/since';
import { PAGE_BYTES } from '@deal-signals/serializers/feed-page';
import { MAX_JSON_DEPTH } from '@deal-signals/serializers/json-depth';
import { MAX_COUNTED } from '@deal-signals/serializers/status';
import { MAX_ATTEMPTS } from '@deal-signals/serializers/webhooks/delivery-detail';
import { FOR_EACH_OF_A_KEY, KEYS_PER_DAY, STATEMENT_TIMEOUT_MS } from '../../../../../apps/api/src/config.ts';
import { THRESHOLD_BYTES } from '../../../../../apps/api/src/http/responses/compression.ts';
import { type ErrorCode, STATUS_OF_CODE } from '../../../../../apps/api/src/http/errors.ts';
import { MAX_OVERLAP_SECONDS } from '../../../../../apps/api/src/http/input.ts';
import { MAX_BODY_BYTES } from '../../../../../apps/api/src/http/json-request.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../../../apps/api/src/http/pagination.ts';
import { MAX_PENDING_REQUESTS } from '../../../../../apps/api/src/http/server/pending-requests.ts';
import { MAX_WAIT_MS } from '../../../../../apps/api/src/http/limits/concurrency-limiter.ts';
import { CONNECTION_LIMITS, KEEP_ALIVE_TIMEOUT_MS } from '../../../../../apps/api/src/http/server/server.ts';
import { ERROR_TEXTS } from '../../../../../apps/api/src/openapi/error-texts.ts';
import { HEADERS } from '../../../../../apps/api/src/openapi/headers.ts';
import {
  MAX_ACTIVE_KEYS,
  MAX_NAME_CHARACTERS,
  MAX_NETWORKS,
} from '../../../../../apps/api/src/routes/api-keys.ts';
import { MAX_TYPES } from '../../../../../apps/api/src/routes/feeds/engagement-events.ts';
import { MAX_ENDPOINTS } from '../../../../../apps/api/src/routes/webhooks/endpoints/create.ts';
import { MAX_DESCRIPTION_CHARACTERS } from '../../../../../apps/api/src/routes/webhooks/endpoints/fields.ts';
import { MAX_REPLAYED } from '../../../../../apps/api/src/routes/webhooks/replays.ts';
import { LOOKED_AT } from '../../../../../apps/api/src/routes/webhooks/resends.ts';
import { MAX_TESTED } from '../../../../../apps/api/src/routes/webhooks/test-filter.ts';
import { markdownTable } from './markdown-table.ts';
import { SETTINGS } from './settings.ts';

/** The limit of JSON besides its size. */
const DEPTH = `${MAX_JSON_DEPTH} levels of objects and lists`;

const INTRODUCTION = `# Errors and limits

Every error has the same body, such as
\`{ "error": "limit: must be a whole number from 1 to 500", "code": "INVALID_REQUEST", "field": "limit" }\`. Rely on \`code\`; the text in
\`error\` is for people and may change. \`field\` is there if the error is about a single input. Quote the \`X-Request-Id\` of a response when
you ask us about it.

Data calls only read, so they can always be repeated. A \`POST\` that creates a key, an endpoint or an alert channel may have succeeded
even if you got a 5xx or no response: list the objects before you repeat it. A \`PATCH\` or \`DELETE\` can be repeated.

Unknown body fields are ignored. So are unknown query parameters, and the response names them in the header
\`X-Ignored-Parameters\`: look there if a filter seems to do nothing. For deliveries that fail, see [Deliveries](../deliveries.md).

This page is made from the code, by \`pnpm generate\`.
`;

const SAME_TIME = `A workspace shares our servers with others, so only a few of its requests are handled at the same time. Further ones wait in a queue; if
that takes too long, or many wait already, they get 429. A key cannot use all slots of its workspace, so give each system a key of its
own. Changes that admins make are made one after the other, and wait in the same way. Requests that come one after the other never wait.
`;

type Row = [what: string, limit: string];

/** Builds `docs/reference/errors.md`. */
export function errorsPage(): string {
  return [
    INTRODUCTION,
    `## Errors\n\n${markdownTable(['Code', 'Status', 'Meaning', 'What to do'], errors())}`,
    `## Rate limits\n\n${limitTable(rateLimits())}`,
    headerTable(),
    `## Requests at the same time\n\n${SAME_TIME}`,
    `## Requests and responses\n\n${limitTable(ofRequests())}`,
    `## Keys and webhooks\n\n${limitTable(ofWebhooks())}`,
    `## Captured records\n\n${limitTable(ofRecords())}`,
  ].join('\n');
}

function errors(): string[][] {
  return Object.entries(STATUS_OF_CODE).map(([code, status]) => {
    const { meaning, remedy } = ERROR_TEXTS[code as ErrorCode];
    return [`\`${code}\``, `${status}`, meaning, remedy];
  });
}

function rateLimits(): Row[] {
  const perKey = Number(preset('RATE_LIMIT_PER_MINUTE'));
  const { management, pings } = FOR_EACH_OF_A_KEY;
  return [
    ['requests of an API key', `${count(perKey)} a minute; the minute begins with its first request`],
    [
      'management calls of a user, or of a key with the scope `webhooks`',
      `${count(perKey * management.user)} a minute`,
    ],
    [
      'management calls of all users of a workspace, and of all such keys',
      `${count(perKey * management.workspace)} a minute`,
    ],
    ['test events of a workspace', `${count(perKey * pings)} a minute`],
    ['erasures of a workspace', `${MAX_OPEN_ERASURES} under way`],
    ['new API keys of a workspace', `${count(KEYS_PER_DAY)} in 24 hours, rotations included`],
  ];
}

function ofRequests(): Row[] {
  const { headersMs, requestMs, stallMs } = CONNECTION_LIMITS;
  return [
    ['`limit` of a page', `1 to ${MAX_LIMIT}, default ${DEFAULT_LIMIT}`],
    ['size of a page', `ends early at ${bytes(PAGE_BYTES)}, with \`hasMore\` true`],
    [
      'a page of events or views with `since`',
      `looks at ${count(MAX_LOOKED_AT)} records; it can be empty, with \`hasMore\` true`,
    ],
    ['`types` of the event feed', `${MAX_TYPES}`],
    ['request body', `${bytes(MAX_BODY_BYTES)}, and ${DEPTH}`],
    ['URL and headers of a request', `${bytes(maxHeaderSize)} together`],
    ['time to send a request', `${seconds(requestMs)}, of which ${seconds(headersMs)} for the headers`],
    ['requests on one connection', `${MAX_PENDING_REQUESTS} that have no response yet`],
    ['time in line', seconds(MAX_WAIT_MS)],
    ['time for a statement', `${seconds(STATEMENT_TIMEOUT_MS)}; set your client's timeout to 30 s`],
    ['time without reading a response', `${seconds(stallMs)}, then the connection is closed`],
    ['idle connection', `closed after ${seconds(KEEP_ALIVE_TIMEOUT_MS)}`],
    ['compression', `of ${bytes(THRESHOLD_BYTES)} and more, if \`Accept-Encoding\` allows it`],
    ['`pendingDeliveries`, `deadDeliveries`', `counted up to ${count(MAX_COUNTED)} each`],
    ['`dealValueCents`', 'a JSON number, exact up to 2^53'],
  ];
}

function ofWebhooks(): Row[] {
  return [
    ['API keys of a workspace', `${MAX_ACTIVE_KEYS} active ones`],
    ['name of a key', `${MAX_NAME_CHARACTERS} characters`],
    ['`allowedNetworks`', `${MAX_NETWORKS}`],
    ['`overlapSeconds`', count(MAX_OVERLAP_SECONDS)],
    ['endpoints of a workspace', `${MAX_ENDPOINTS}`],
    ['URL of an endpoint', `${MAX_URL_CHARACTERS} characters`],
    ['description of an endpoint', `${MAX_DESCRIPTION_CHARACTERS} characters`],
    [
      'headers of an endpoint',
      `${MAX_HEADERS}, names of ${MAX_HEADER_NAME_CHARACTERS} and values of ${count(MAX_VALUE_CHARACTERS)} characters, ${count(MAX_CHARACTERS)} together`,
    ],
    [
      '`filter`',
      `${MAX_CONDITIONS} conditions, ${MAX_DEPTH} levels, ${count(MAX_BYTES)} bytes of JSON; tried with ${MAX_TESTED} events`,
    ],
    ['`maxPerMinute`', `1 to ${count(MAX_PER_MINUTE)}`],
    ['time for an attempt', seconds(Number(preset('WEBHOOK_TIMEOUT_MS')))],
    ['response to an attempt', `read up to ${bytes(MAX_RESPONSE_BYTES)}, kept up to ${bytes(EXCERPT_BYTES)}`],
    [
      'attempts',
      `${preset('WEBHOOK_MAX_ATTEMPTS')}; the log shows the latest ${count(MAX_ATTEMPTS)}, if there were retries`,
    ],
    ['waits between them', waits()],
    ['failures in a row that disable an endpoint', count(DISABLE_AFTER)],
    ['retry of dead deliveries', `${count(MAX_RETRIED)} in one call`],
    ['dismissal of dead deliveries', `${count(MAX_DISMISSED)} in one call`],
    ['sending events again', `${count(LOOKED_AT)} deliveries looked at in one call`],
    ['sending what an endpoint has missed', `${count(MAX_REPLAYED)} in one call`],
  ];
}

function ofRecords(): Row[] {
  const fields = Object.entries(LIMITS).map(([field, limit]): Row => {
    if ('items' in limit) return [`\`${field}\``, `${count(limit.items)} items`];
    return [
      `\`${field}\``,
      'json' in limit ? `${bytes(limit.json)} of JSON, and ${DEPTH}` : bytes(limit.text),
    ];
  });
  return [...fields, ['every other text', bytes(TEXT_LIMIT)], ['a line', bytes(MAX_LINE_BYTES)]];
}

/** Returns a table of the headers with the remaining requests. */
function headerTable(): string {
  const limits = Object.entries(HEADERS).filter(([name]) => /RateLimit|Retry-After/.test(name));
  return markdownTable(
    ['Header', 'Value'],
    limits.map(([name, { description }]) => [`\`${name}\``, description]),
  );
}

function waits(): string {
  const least = Number(preset('WEBHOOK_MAX_ATTEMPTS')) - 1;
  return preset('WEBHOOK_RETRY_SCHEDULE_MS').split(',').slice(0, least).map(Number).map(duration).join(', ');
}

function preset(name: string): string {
  const value = SETTINGS.api.get(name)?.preset;
  if (!value) throw new Error(`${name} has no default`);
  return value;
}

function limitTable(rows: readonly Row[]): string {
  return markdownTable(['What', 'Limit'], rows);
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

function duration(ms: number): string {
  if (ms < 60_000) return seconds(ms);
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}

function bytes(size: number): string {
  return size < 1_048_576 ? `${size / 1_024} KiB` : `${size / 1_048_576} MiB`;
}
