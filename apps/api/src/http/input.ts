import { parse as parseForm, type ParsedUrlQuery } from 'node:querystring';
import { isStorable } from '@deal-signals/db/storable-text';
import { z } from 'zod';
import { invalidField, invalidRequest, notFound } from './errors.ts';

/** A UUID as PostgreSQL writes it: in lower case. */
const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const MAX_INTEGER = 2_147_483_647;

/** A UUID in a path or a filter, in upper or lower case. */
export const uuid = z
  .string()
  .toLowerCase()
  .regex(UUID_FORM, 'must be a UUID')
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
export const textPath = z.object({ id: z.string().meta({ description: 'Id of the object' }) });

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

/**
 * Parses query parameters with a schema. Unknown parameters are ignored.
 *
 * @throws ApiError INVALID_REQUEST with the parameter and what is allowed.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const repeated = Object.keys(schema.shape).find((name) => Array.isArray(query[name]));
  if (repeated !== undefined) throw invalidField(repeated, 'must be given only once');
  return parse(schema, query);
}

/**
 * Parses a JSON body with a schema. Unknown fields are ignored.
 *
 * @throws ApiError INVALID_REQUEST with the field and what is allowed.
 */
export function parseBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('body: must be a JSON object');
  }
  return parse(schema, body);
}

/** Parses a UUID in a path. @throws ApiError NOT_FOUND if it is not a UUID, because no object has such an id. */
export function uuidInPath(value: unknown): string {
  const { data } = uuid.safeParse(value);
  if (data === undefined) throw notFound();
  return data;
}

/** Parses a text id in a path. @throws ApiError NOT_FOUND if it cannot be stored, because no object has such an id. */
export function textInPath(value: unknown): string {
  if (typeof value !== 'string' || !isStorable(value)) throw notFound();
  return value;
}

/** Parses an integer id in a path. @throws ApiError NOT_FOUND if it is not a valid id. */
export function integerInPath(value: unknown): number {
  const { data } = integerPathId.safeParse(value);
  if (data === undefined) throw notFound();
  return data;
}

/** Parses an integer id that may exceed 32 bits, in a path. @throws ApiError NOT_FOUND if it is not a valid id. */
export function integerTextInPath(value: unknown): bigint {
  const { data } = integerTextPathId.safeParse(value);
  if (data === undefined) throw notFound();
  return BigInt(data);
}

function parse<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidField(`${issue?.path.join('.')}`, `${issue?.message}`);
}
