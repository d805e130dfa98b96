import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ErrorCode, STATUS_OF_CODE } from '../http/errors.ts';
import { NDJSON } from '../http/responses/lines.ts';
import type { Route } from '../http/route.ts';
import { ERROR_TEXTS } from './error-texts.ts';
import {
  ALWAYS,
  countedHeaders,
  describeHeaders,
  type HeaderName,
  IN_SUNSET,
  ONCE_ADMITTED,
} from './headers.ts';

/** The input that caused an error. */
const field = z.string().optional().meta({
  description:
    'The one input that the error is about: a query parameter, or the path of a property of the body, such as `headers.X-Tenant`',
});

/** Returns a function that describes the responses of a route. Equal error responses become one shared component. */
export function createResponses(): (route: Route) => ZodOpenApiResponsesObject {
  const shared = new Map<string, ZodOpenApiResponseObject>();
  return (route) => {
    const responses: ZodOpenApiResponsesObject = { [`${route.status ?? 200}`]: success(route) };
    if (route.method === 'GET') responses['304'] = share(shared, notModified(route));
    const codes = errorCodes(route);
    for (const status of new Set(codes.map((code) => STATUS_OF_CODE[code]))) {
      const ofStatus = codes.filter((code) => STATUS_OF_CODE[code] === status);
      responses[`${status}`] = share(shared, failure(route, status, ofStatus));
    }
    return responses;
  };
}

/** Returns every error code of the route. Most follow from its credential, its parameters and its body. */
export function errorCodes(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...(route.access === 'key' ? [] : (['SESSION_INVALID'] as const)),
    ...(route.access === 'session' ? [] : (['API_KEY_INVALID'] as const)),
    ...('isForAnySession' in route && route.isForAnySession
      ? []
      : (['PERMISSION_DENIED', 'FEATURE_NOT_ENABLED'] as const)),
    'RATE_LIMITED',
    ...(route.query || route.body ? (['INVALID_REQUEST'] as const) : []),
    ...(route.query && 'cursor' in route.query.shape ? (['INVALID_CURSOR'] as const) : []),
    ...(route.body ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.errors ?? []),
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]);
  return [...codes].toSorted((a, b) => STATUS_OF_CODE[a] - STATUS_OF_CODE[b]);
}

function success(route: Route): ZodOpenApiResponseObject {
  const lines = 'lines' in route ? route.lines : undefined;
  const etag: HeaderName[] = route.method === 'GET' ? ['ETag'] : [];
  const headers = describeHeaders(
    [...alwaysOf(route), ...ONCE_ADMITTED, ...countedHeaders(route), ...(lines === undefined ? etag : [])],
    // A response that is sent while it is read has no ETag.
    lines === undefined ? [] : etag,
  );
  if (route.status === 204) return { description: 'Success; the response has no body', headers };
  return {
    description: route.status === 201 ? 'Created' : 'Success',
    headers,
    content: {
      'application/json': { schema: route.response, example: route.example },
      ...(lines !== undefined && {
        [NDJSON]: { schema: z.string().meta({ description: lines.description }), example: lines.example },
      }),
    },
  };
}

function notModified(route: Route): ZodOpenApiResponseObject {
  return {
    id: `NotModified${suffix(route)}`,
    description: 'The content is unchanged: it matches the `ETag` in `If-None-Match`',
    headers: describeHeaders([...alwaysOf(route), ...ONCE_ADMITTED, ...countedHeaders(route), 'ETag']),
  };
}

function failure(route: Route, status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const isCounted = status !== 401;
  // A request can fail before it is counted: its path cannot be decoded, the key must not be used from the caller's network, or
  // too many requests of the caller wait. The response then lacks the headers of a window.
  const isCountedSometimes =
    isCounted &&
    ((status === 403 && route.access !== 'session') || status === 404 || status === 429 || status >= 500);
  return {
    id: `${codes.map(pascalCase).join('Or')}${suffix(route)}`,
    description: codes.map((code) => `\`${code}\`: ${ERROR_TEXTS[code].meaning}`).join('\n\n'),
    headers: describeHeaders(
      [
        ...alwaysOf(route),
        ...(isCounted ? ONCE_ADMITTED : []),
        ...(isCounted && !isCountedSometimes ? countedHeaders(route) : []),
        ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
        ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ],
      [
        ...(isCountedSometimes ? countedHeaders(route) : []),
        ...(status === 403 && route.access !== 'session' ? (['WWW-Authenticate'] as const) : []),
      ],
    ),
    content: {
      'application/json': {
        schema: z.object({
          error: z.string().meta({ description: 'Human-readable message; its wording may change' }),
          code: z.enum(codes).meta({ description: 'Machine-readable error code; stable' }),
          ...(status === 400 && { field }),
        }),
        examples: Object.fromEntries(
          codes.map((code) => {
            const { message, field: named } = ERROR_TEXTS[code];
            return [code, { value: { error: message, code, ...(named !== undefined && { field: named }) } }];
          }),
        ),
      },
    },
  };
}

function share(
  shared: Map<string, ZodOpenApiResponseObject>,
  response: ZodOpenApiResponseObject,
): ZodOpenApiResponseObject {
  const id = response.id as string;
  const known = shared.get(id) ?? response;
  shared.set(id, known);
  return known;
}

function alwaysOf(route: Route): readonly HeaderName[] {
  return route.sunset ? [...ALWAYS, ...IN_SUNSET] : ALWAYS;
}

const CALLERS: Record<Route['access'], string> = {
  key: 'ForKey',
  session: 'ForSession',
  'session or key': 'ForSessionOrKey',
};

/** Returns a suffix that distinguishes responses that differ only in their headers. */
function suffix(route: Route): string {
  return `${CALLERS[route.access]}${route.sunset ? 'InSunset' : ''}`;
}

function pascalCase(code: ErrorCode): string {
  return code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
