import {
  checkHeader,
  type CustomHeader,
  decryptHeaders,
  encryptHeaders,
  HEADER_NAME,
  HEADER_VALUE,
  MAX_CHARACTERS,
  MAX_HEADERS,
  MAX_NAME_CHARACTERS,
  MAX_VALUE_CHARACTERS,
  NAME_MESSAGE,
} from '@deal-signals/sending/headers/custom-headers';
import type { SecretKeys } from '@deal-signals/sending/secrets/secret-keys';
import { z } from 'zod';
import { invalidField } from '../../http/errors.ts';

const HEADERS_MESSAGE = 'must be an object of header names and their values';
const VALUE_MESSAGE = 'must be a string';

const LIMITS = `at most ${MAX_HEADERS}, of at most ${MAX_CHARACTERS.toLocaleString('en')} characters together`;

/** A header name with its published pattern. `changeHeaders` checks whether it is allowed, and the value. */
const headerName = z.string().meta({ pattern: HEADER_NAME.source, maxLength: MAX_NAME_CHARACTERS });
const VALUE_META = { pattern: HEADER_VALUE.source, maxLength: MAX_VALUE_CHARACTERS };

/** Returns a schema for an object with arbitrary header names. `z.record` would drop a member that is named `__proto__`. */
function byHeaderName<Value extends z.ZodType>(value: Value) {
  return z.preprocess(
    (given: unknown, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
        context.addIssue({ code: 'custom', path: ['__proto__'], message: NAME_MESSAGE });
      }
      return given;
    },
    z.record(headerName, value, HEADERS_MESSAGE),
  );
}

/** Custom headers in the body of a request that registers or tests an endpoint. */
export const newHeaders = byHeaderName(z.string(VALUE_MESSAGE).meta(VALUE_META)).meta({
  description: `Headers to send with every request to the endpoint, by name: ${LIMITS}. Their values are never returned`,
  maxProperties: MAX_HEADERS,
});

/** A change of custom headers in the body of a request that changes an endpoint. */
export const headersChange = byHeaderName(z.string('must be a string or null').meta(VALUE_META).nullable())
  .nullable()
  .meta({
    description: `Custom headers to set, by name; \`null\` instead of a value removes the header, and \`null\` instead of the object removes all. Other headers stay unchanged. The limit is ${LIMITS}`,
  });

/** A change of custom headers: their new values by name, null to remove one, or null for all. */
export type HeadersChange = z.output<typeof headersChange>;

/** The columns of the custom headers of an endpoint. */
export interface HeadersRow {
  headerNames: string[];
  headersCiphertext: Uint8Array<ArrayBuffer> | null;
  /** Never reset: responses to earlier requests may repeat headers that were removed. */
  everHadHeaders?: true;
}

/** The result of a change of custom headers. */
export interface ChangedHeaders {
  row: HeadersRow;
  /** All headers after the change. */
  headers: CustomHeader[];
  /** The names of headers that got another value. */
  set: string[];
  /** The names of headers that were removed. */
  removed: string[];
  /** Whether a value is kept that the request did not contain. */
  keepsOld: boolean;
}

/**
 * Applies a change to the custom headers of an endpoint. Names are compared case-insensitively; a header that is set again takes
 * the spelling of the change.
 *
 * @throws ApiError INVALID_REQUEST if a header is not allowed, or if there would be too many.
 */
export function changeHeaders(
  keys: SecretKeys,
  companyId: number,
  { headersCiphertext }: Pick<HeadersRow, 'headersCiphertext'>,
  change: HeadersChange,
): ChangedHeaders {
  const before = headersCiphertext === null ? [] : decryptHeaders(keys, companyId, headersCiphertext);
  const given = Object.entries(change ?? Object.fromEntries(before.map(([name]) => [name, null])));
  requireDistinctNames(given.map(([name]) => name));
  const givenNames = new Set(given.map(([name]) => name.toLowerCase()));
  const values = given.filter((header): header is [string, string] => header[1] !== null);
  const kept = before.filter(([name]) => !givenNames.has(name.toLowerCase()));
  const after: CustomHeader[] = [...kept, ...values];
  requireAllowed(values);
  requireFew(after);
  const old = new Map(before.map(([name, value]) => [name.toLowerCase(), value]));
  const newNames = new Set(after.map(([name]) => name.toLowerCase()));
  return {
    row: {
      headerNames: after.map(([name]) => name),
      headersCiphertext: after.length === 0 ? null : encryptHeaders(keys, companyId, after),
      ...(after.length > 0 && { everHadHeaders: true }),
    },
    headers: after,
    set: values.filter(([name, value]) => old.get(name.toLowerCase()) !== value).map(([name]) => name),
    removed: before.filter(([name]) => !newNames.has(name.toLowerCase())).map(([name]) => name),
    keepsOld: kept.length > 0,
  };
}

function requireDistinctNames(names: readonly string[]): void {
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalidField('headers', 'must not name a header twice');
  }
}

function requireAllowed(headers: readonly CustomHeader[]): void {
  for (const header of headers) {
    const check = checkHeader(header);
    if (!check.ok) throw invalidField(`headers.${header[0]}`, check.reason);
  }
}

function requireFew(headers: readonly CustomHeader[]): void {
  const characters = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (headers.length > MAX_HEADERS || characters > MAX_CHARACTERS) {
    throw invalidField('headers', `must be ${LIMITS}`);
  }
}
