import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ErrorCode, STATUS_OF_CODE } from '../http/errors.ts';
import type { Route } from '../http/route.ts';
import { ERROR_TEXTS } from './error-texts.ts';
import { ALWAYS, COUNTED, describeHeaders, type HeaderName, IN_SUNSET } from './headers.ts';

/** Describes the responses of routes; answers that are alike become one component that all routes share. */
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

/** Every code that the route can answer with: most follow from who may call it and what it reads. */
export function errorCodes(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...(route.access === 'key'
      ? (['API_KEY_INVALID', 'RATE_LIMITED'] as const)
      : (['SESSION_INVALID', 'PERMISSION_DENIED'] as const)),
    'FEATURE_NOT_ENABLED',
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
  const headers = describeHeaders([
    ...alwaysOf(route),
    ...(route.access === 'key' ? COUNTED : []),
    ...(route.method === 'GET' ? (['ETag'] as const) : []),
  ]);
  if (route.status === 204) return { description: 'Done', headers };
  return {
    description: route.status === 201 ? 'Created' : 'What was asked for',
    headers,
    content: { 'application/json': { schema: route.response, example: route.example } },
  };
}

function notModified(route: Route): ZodOpenApiResponseObject {
  return {
    id: `NotModified${suffix(route)}`,
    description: 'The content still is what the `ETag` in `If-None-Match` stands for',
    headers: describeHeaders([...alwaysOf(route), ...(route.access === 'key' ? COUNTED : []), 'ETag']),
  };
}

function failure(route: Route, status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const isCounted = route.access === 'key' && status !== 401;
  // What fails before a key could be looked up and counted, a path that cannot be decoded for one, says nothing of its
  // window.
  const isCountedSometimes = isCounted && (status === 404 || status >= 500);
  return {
    id: `${codes.map(pascalCase).join('Or')}${suffix(route)}`,
    description: codes.map((code) => `\`${code}\`: ${ERROR_TEXTS[code].meaning}`).join('\n\n'),
    headers: describeHeaders(
      [
        ...alwaysOf(route),
        ...(isCounted && !isCountedSometimes ? COUNTED : []),
        ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
        ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ],
      isCountedSometimes ? COUNTED : [],
    ),
    content: {
      'application/json': {
        schema: z.object({
          error: z.string().meta({ description: 'For people; its wording may change' }),
          code: z.enum(codes).meta({ description: 'For programs; stable' }),
        }),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { error: ERROR_TEXTS[code].message, code } }]),
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

/** Tells apart answers that only differ in their headers. */
function suffix(route: Route): string {
  return `${route.access === 'key' ? 'ForKey' : 'ForSession'}${route.sunset ? 'InSunset' : ''}`;
}

function pascalCase(code: ErrorCode): string {
  return code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
