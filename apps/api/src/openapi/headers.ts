import type { oas31 } from 'zod-openapi';
import { WINDOW_SECONDS } from '../http/limits/rate-limit.ts';
import type { Route } from '../http/route.ts';

/** The response headers of the API that are documented for callers. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'Identifies the request in our logs. You can choose it by sending the header yourself, with up to 128 letters, digits, dots, underscores and hyphens.',
    required: true,
    schema: { type: 'string' },
    example: '0b0c2b1e-5d0c-4a3f-9a52-6b4f3d0e9c11',
  },
  'X-RateLimit-Limit': {
    description: 'Number of requests that a key may make in a window.',
    required: true,
    schema: { type: 'integer' },
    example: 300,
  },
  'X-RateLimit-Window': {
    description: 'Length of a window in seconds.',
    required: true,
    schema: { type: 'integer' },
    example: WINDOW_SECONDS,
  },
  'X-Ignored-Parameters': {
    description:
      'The names of query parameters that were ignored, because the operation does not have them: up to ten, percent-encoded and separated by commas. A name of more than 40 characters is cut and ends in `...`, as does a longer list.',
    required: false,
    schema: { type: 'string' },
    example: 'curser',
  },
  'X-RateLimit-Remaining': {
    description: 'Number of requests that the key has left in the current window.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 299,
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until the current window of the key ends, rounded up.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'RateLimit-Policy': {
    description:
      'The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.',
    required: true,
    schema: { type: 'string' },
    example: '"key";q=300;w=60',
  },
  RateLimit: {
    description:
      'What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.',
    required: true,
    schema: { type: 'string' },
    example: '"key";r=299;t=42',
  },
  ETag: {
    description:
      'Identifies this version of the content. Send it as `If-None-Match` to get 304 while the content is unchanged.',
    required: true,
    schema: { type: 'string' },
    example: 'W/"2a3-k0Zr3aJ1yWJv9x0u5sE8a0b7xYs"',
  },
  'Retry-After': {
    description: 'Whole seconds to wait before you retry the request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  'WWW-Authenticate': {
    description:
      'The authentication scheme that is required and, if a credential was sent, an `error` of RFC 6750: `invalid_token`, or `insufficient_scope` with the scopes that are needed.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  Deprecation: {
    description: 'When the endpoint was or will be deprecated: new clients should not use it (RFC 9745).',
    required: true,
    schema: { type: 'string' },
    example: '@1798761600',
  },
  Sunset: {
    description: 'When the endpoint may stop responding (RFC 8594).',
    required: true,
    schema: { type: 'string' },
    example: 'Fri, 31 Dec 2027 00:00:00 GMT',
  },
  Link: {
    description: 'A page that describes what to use instead of the endpoint.',
    required: true,
    schema: { type: 'string' },
    example: '<https://docs.example/v2>; rel="deprecation", <https://docs.example/v2>; rel="sunset"',
  },
} as const satisfies Record<string, oas31.HeaderObject>;

/** The name of a documented header. */
export type HeaderName = keyof typeof HEADERS;

/** Headers of the responses of an endpoint that is scheduled to be switched off. */
export const IN_SUNSET: readonly HeaderName[] = ['Deprecation', 'Sunset', 'Link'];

/** Headers of every response to a request with a valid credential, where they apply. */
export const ONCE_ADMITTED: readonly HeaderName[] = ['X-Ignored-Parameters'];

/** Headers of every response. */
export const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Window'];

const COUNTED: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];
const COUNTED_FOR_KEY: readonly HeaderName[] = ['X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Returns the headers of a route's responses to a counted request. */
export function countedHeaders({ access }: Route): readonly HeaderName[] {
  return access === 'key' ? [...COUNTED_FOR_KEY, ...COUNTED] : COUNTED;
}

/** Returns the headers that the routes of a table can send. */
export function usedHeaders(routes: readonly Route[]): Partial<Record<HeaderName, oas31.HeaderObject>> {
  const unused = new Set<string>([
    ...(routes.some(({ sunset }) => sunset) ? [] : IN_SUNSET),
    ...(routes.some(({ access }) => access === 'key') ? [] : COUNTED_FOR_KEY),
  ]);
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => !unused.has(name)));
}

/**
 * Builds the `headers` of a response.
 *
 * @param names headers that every response of this kind has.
 * @param optional headers that only some responses of this kind have.
 */
export function describeHeaders(
  names: readonly HeaderName[],
  optional: readonly HeaderName[] = [],
): Record<string, oas31.HeaderObject | oas31.ReferenceObject> {
  return Object.fromEntries([
    ...names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
    ...optional.map((name) => [name, { ...HEADERS[name], required: false }] as const),
  ]);
}
