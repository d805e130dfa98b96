import { parse as parseForm, type ParsedUrlQuery } from 'node:querystring';
import { isStorable } from '@deal-signals/db/storable-text';
import { z } from 'zod';
import { invalidField, invalidRequest, notFound } from './errors.ts';

/** A UUID as PostgreSQL writes it: in lower case. */
const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const MAX_INTEGER = 2_147_483_647;

/** A UUID in a path or a filter, in upper or lower case. */
export const uuid = z
  .string()
  .toLowerCase()
  .regex(UUID_PATTERN, 'must be a UUID')
  // Only the format is published, because the pattern matches lower case only, and callers may also send upper case.
  .meta({ override: { type: 'string', format: 'uuid', pattern: undefined } });

/** The published pattern of a text that PostgreSQL can store. NUL is the only JSON character that it cannot. */
export const WITHOUT_NUL = '^[^\\x00]*$';

/** An integer id in a filter. */
export const integerId = z
  .string()
  .regex(/^\d{1,10}$/, 'must be an integer id')
  .transform(Number)
  .refine((id) => id <= MAX_INTEGER, 'must be an integer id')
  .meta({ override: { type: 'integer', minimum: 0, maximum: MAX_INTEGER, pattern: undefined } });

/** An integer id in a path. Leading zeros are not allowed, so every object has exactly one path. */
const integerPathId = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((id) => id <= MAX_INTEGER)
  .meta({ override: { type: 'integer', minimum: 1, maximum: MAX_INTEGER, pattern: undefined } });

/** An integer id that may exceed 32 bits, in a path. Leading zeros are not allowed here either. */
const integerTextPathId = z
  .string()
  .regex(/^[1-9][0-9]{0,17}$/)
  .meta({ description: 'Id of the delivery' });

/** The path parameters of an object with a UUID. */
export const uuidPath = z.object({ id: uuid.meta({ description: 'Id of the object' }) });

/** The path parameters of an object whose id is a text of another system. */
export const textPath = z.object({
  id: z.string().refine(isStorable).meta({ description: 'Id of the object' }),
});

/** The path parameters of an object with an integer id. */
export const integerPath = z.object({
  id: integerPathId.meta({ description: 'Id of the object' }),
});

/** The path parameters of an object with an integer id that may exceed 32 bits. */
export const integerTextPath = z.object({ id: integerTextPathId });

/** The path parameters of a delivery of a webhook endpoint. */
export const deliveryPath = z.object({
  id: integerPathId.meta({ description: 'Id of the endpoint' }),
  deliveryId: integerTextPathId,
});

/** Returns a schema for one of a closed set of values. */
export function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/** Returns a schema for a list of one or more of a closed set of values. Duplicates are removed. */
export function someOf<const Value extends string>(values: readonly Value[]) {
  const message = `must be an array of one or more of ${values.join(', ')}`;
  return z
    .array(z.enum(values, message), message)
    .min(1, message)
    .transform((given) => [...new Set(given)]);
}

/** Returns a schema for a whole number from 1 to a maximum, in a query. */
export function countTo(max: number, preset: number, description: string) {
  const message = `must be a whole number from 1 to ${max}`;
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${String(max).length}}$`), message)
    .transform(Number)
    .refine((count) => count >= 1 && count <= max, message)
    .default(preset)
    .meta({
      description,
      override: { type: 'integer', minimum: 1, maximum: max, default: preset, pattern: undefined },
    });
}

/** Maximum time that a key or a secret works after its rotation. */
export const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
const OVERLAP_MESSAGE = `must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}`;

/** How long what is rotated continues to work, in the body of a request. */
export const overlapSeconds = z
  .int(OVERLAP_MESSAGE)
  .min(0, OVERLAP_MESSAGE)
  .max(MAX_OVERLAP_SECONDS, OVERLAP_MESSAGE)
  .default(0);

/** Returns the number of characters as PostgreSQL counts them: Unicode code points, not UTF-16 units. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}

/**
 * Splits the query of a URL into its parameters. A parameter that occurs several times has an array of values. By default, Node
 * silently drops all parameters after the 1,000th.
 */
export function parseQueryString(query: string | null): ParsedUrlQuery {
  return parseForm(query ?? '', '&', '=', { maxKeys: 0 });
}

/** The schemas of what a request contains, which are published, and with which the router parses it. */
export interface InputSchemas<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
> {
  params?: Params;
  query?: Query;
  /** The schema of the JSON body. Without one, the body of a request is not read. */
  body?: Body;
  /** Set if the body is optional. */
  isBodyOptional?: true;
}

/** What a request contains, parsed. */
export interface Input<
  Params extends z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
> {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
}

/**
 * Parses the path parameters of a request.
 *
 * @throws ApiError NOT_FOUND if an id is malformed, because no object has such an id.
 */
export function parsePath({ params }: InputSchemas, given: unknown): Record<string, unknown> {
  if (params === undefined) return {};
  const { data } = params.safeParse(given);
  if (data === undefined) throw notFound();
  return data;
}

/**
 * Parses query parameters with a schema. Unknown parameters are ignored.
 *
 * @throws ApiError INVALID_REQUEST with the parameter and what is allowed.
 */
export function parseQuery(
  { query }: InputSchemas,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (query === undefined) return {};
  const repeated = Object.keys(query.shape).find((name) => Array.isArray(given[name]));
  if (repeated !== undefined) throw invalidField(repeated, 'must be given only once');
  return parse(query, given);
}

/**
 * Parses a JSON body with a schema. Unknown fields are ignored.
 *
 * @param given undefined if none was sent.
 * @throws ApiError INVALID_REQUEST with the field and what is allowed.
 */
export function parseBody({ body, isBodyOptional }: InputSchemas, given: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  const object = given ?? (isBodyOptional ? {} : given);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw invalidRequest('body: must be a JSON object');
  }
  return parse(body, object);
}

function parse(schema: z.ZodObject, input: unknown): Record<string, unknown> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidField(`${issue?.path.join('.')}`, `${issue?.message}`);
}
