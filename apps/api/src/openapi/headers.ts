import type { oas31 } from 'zod-openapi';
import { WINDOW_SECONDS } from '../http/rate-limit.ts';
import type { Route } from '../http/route.ts';

/** Every header that an answer of the API can carry and that means something to its caller. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Names the request in our log; a harmless one that was sent is kept.',
    required: true,
    schema: { type: 'string' },
    example: '0b0c2b1e-5d0c-4a3f-9a52-6b4f3d0e9c11',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests a key may make in a window.',
    required: true,
    schema: { type: 'integer' },
    example: 300,
  },
  'X-RateLimit-Window': {
    description: 'How long a window is, in seconds.',
    required: true,
    schema: { type: 'integer' },
    example: WINDOW_SECONDS,
  },
  'X-RateLimit-Remaining': {
    description: 'How many requests the key has left in its window.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 299,
  },
  'X-RateLimit-Reset': {
    description: 'Whole seconds until the window of the key has ended.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  ETag: {
    description: 'Stands for the content: sent back as `If-None-Match` it asks for news only.',
    required: true,
    schema: { type: 'string' },
    example: 'W/"2a3-k0Zr3aJ1yWJv9x0u5sE8a0b7xYs"',
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the request is worth another try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  'WWW-Authenticate': {
    description: 'The scheme of the credential that is wanted.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Deprecation: {
    description: 'Since when the endpoint should not be used by anything new (RFC 9745).',
    required: true,
    schema: { type: 'string' },
    example: '@1798761600',
  },
  Sunset: {
    description: 'From when the endpoint may stop to answer (RFC 8594).',
    required: true,
    schema: { type: 'string' },
    example: 'Fri, 31 Dec 2027 00:00:00 GMT',
  },
  Link: {
    description: 'What to use instead of an endpoint that is going to be switched off.',
    required: true,
    schema: { type: 'string' },
    example: '<https://docs.example/v2>; rel="deprecation", <https://docs.example/v2>; rel="sunset"',
  },
} as const satisfies Record<string, oas31.HeaderObject>;

/** The name of a described header. */
export type HeaderName = keyof typeof HEADERS;

/** On the answers of an endpoint that is going to be switched off. */
export const IN_SUNSET: readonly HeaderName[] = ['Deprecation', 'Sunset', 'Link'];

/** On every answer, whatever it is. */
export const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Window'];

/** On the answers to a key that was recognised and counted. */
export const COUNTED: readonly HeaderName[] = ['X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The headers that a table of routes can make the API send. */
export function usedHeaders(routes: readonly Route[]): Partial<Record<HeaderName, oas31.HeaderObject>> {
  if (routes.some(({ sunset }) => sunset)) return HEADERS;
  return Object.fromEntries(
    Object.entries(HEADERS).filter(([name]) => !IN_SUNSET.some((header) => header === name)),
  );
}

/**
 * The `headers` of a response.
 *
 * @param optional headers that only some answers of the kind carry.
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
