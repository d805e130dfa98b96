import { Prisma } from '@deal-signals/db/generated/client';
import { isStorable } from '@deal-signals/db/storable-text';
import { MAX_PER_MINUTE } from '@deal-signals/deliveries/endpoints/rate-limit';
import type { WebhookSettings } from '@deal-signals/deliveries/settings';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import type { Filter } from '@deal-signals/outbox/filter/filter';
import {
  findFilterProblem,
  MAX_BYTES,
  MAX_CONDITIONS,
  MAX_DEPTH,
} from '@deal-signals/outbox/filter/filter-problem';
import { checkEndpointUrl, MAX_URL_CHARACTERS } from '@deal-signals/sending/guard/endpoint-url';
import { z } from 'zod';
import { invalidField } from '../../../http/errors.ts';
import { characterCount, someOf, WITHOUT_NUL } from '../../../http/input.ts';

/** Maximum length of the description of an endpoint. */
export const MAX_DESCRIPTION_CHARACTERS = 500;
const DESCRIPTION_MESSAGE = `must be a string of at most ${MAX_DESCRIPTION_CHARACTERS} characters, or null`;
/** The possible subscriptions of an endpoint: event type names, or `*` for all present and future types. */
const SUBSCRIPTIONS = [...EVENT_TYPES, '*'] as const;
const RATE_LIMIT_MESSAGE = `must be a whole number from 1 to ${MAX_PER_MINUTE}, or null`;

/** A label of a host name. */
const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** 443, or 1000 to 65535. Lower ports are rarely used for the web, and most of them are rejected. */
const PORT = '(443|[1-9][0-9]{3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
/**
 * The published pattern of an endpoint's URL: a host name with a top-level domain, and the characters of RFC 3986. It leaves out
 * valid URLs that a pattern cannot distinguish from invalid ones: IP addresses, which must be public, and hosts that the operator
 * exempts.
 */
const URL_PATTERN = `^https://(${LABEL}\\.)+[A-Za-z]{2,63}(:${PORT})?([/?#][A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?$`;

/** The event types an endpoint subscribes to. `*` covers all types, so it is stored alone. */
export const events = someOf(SUBSCRIPTIONS)
  .transform((names) => (names.includes('*') ? ['*' as const] : names))
  .meta({ description: 'Event types to send, or `*` for all present and future types' });

/** The description of an endpoint in the body of a request. */
export const description = z
  .string(DESCRIPTION_MESSAGE)
  .refine(
    (text) => isStorable(text) && characterCount(text) <= MAX_DESCRIPTION_CHARACTERS,
    DESCRIPTION_MESSAGE,
  )
  .meta({ maxLength: MAX_DESCRIPTION_CHARACTERS, pattern: WITHOUT_NUL })
  .nullable()
  .meta({ description: 'Free text for your own use' });

/** The URL of an endpoint in the body of a request. `requireCallableUrl` checks whether it may be called. */
export const url = z
  .string('must be an absolute https URL')
  .refine(isStorable, 'must not contain NUL or unpaired surrogates')
  .meta({
    description:
      'Absolute https URL of a public host, without credentials. Public IP addresses, and hosts that the operator exempts, are accepted in addition to what the pattern describes',
    maxLength: MAX_URL_CHARACTERS,
    pattern: URL_PATTERN,
  });

/** The rate limit of an endpoint in the body of a request. */
export const maxPerMinute = z
  .int(RATE_LIMIT_MESSAGE)
  .min(1, RATE_LIMIT_MESSAGE)
  .max(MAX_PER_MINUTE, RATE_LIMIT_MESSAGE)
  .nullable()
  .meta({
    description:
      'Maximum number of deliveries that start in any minute, including retries; null for no such limit. Deliveries that exceed it stay due',
  });

/** Whether an endpoint's `Retry-After` is honored, in the body of a request. */
export const honorRetryAfter = z.boolean('must be true or false').meta({
  description:
    'Whether to wait as long as the `Retry-After` of a 429 or 503 asks, if that is later than the schedule says; at most two hours later',
});

/** The filter of an endpoint in the body of a request. */
export const filter = z
  .unknown()
  .transform((value, context): Filter | null => {
    const problem = value === null ? null : findFilterProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', ...problem });
    return value as Filter | null;
  })
  .meta({
    description: `Which events to send, by their \`data\`: \`{ "type": { "$eq": "doc_open" } }\`, with nested objects for nested fields; null for all. At most ${MAX_CONDITIONS} conditions, ${MAX_DEPTH} levels and ${MAX_BYTES} bytes. The guide on deliveries lists the operators`,
    override: { type: ['object', 'null'], minProperties: 1, additionalProperties: true },
  });

/** A new signing secret in a response. */
export const secretShownOnce = z
  .string()
  .meta({ description: 'The secret that signs deliveries. Store it securely: it cannot be shown again' });

/** Converts a filter to what Prisma writes. The audit log does not repeat it, because a filter may name people. */
export function toColumn(condition: Filter | null): Prisma.InputJsonObject | typeof Prisma.DbNull {
  return condition === null ? Prisma.DbNull : (condition as Prisma.InputJsonObject);
}

/** Returns the host and port of a checked URL. Unlike the path and the query, they are not expected to contain a secret. */
export function hostOf(stored: string): string {
  return new URL(stored).host;
}

/** @throws ApiError INVALID_REQUEST if events must not be sent to the URL. */
export function requireCallableUrl(
  raw: string,
  rules: Pick<WebhookSettings, 'allowedPrivateHosts' | 'allowedPorts'>,
): void {
  const check = checkEndpointUrl(raw, rules.allowedPrivateHosts, rules.allowedPorts);
  if (!check.ok) throw invalidField('url', check.reason);
}
