import { randomBytes } from 'node:crypto';

/** What every attempt is marked with: a receiver that samples as its caller does traces all deliveries. */
const SAMPLED = '01';

/**
 * Builds the `traceparent` header of an attempt (W3C Trace Context). All attempts of an event, at every endpoint, belong
 * to one trace, whose id is the id of the event without hyphens. Each attempt is a span of its own.
 *
 * @param eventId a UUID.
 */
export function newTraceparent(eventId: string): string {
  return `00-${eventId.replaceAll('-', '')}-${randomBytes(8).toString('hex')}-${SAMPLED}`;
}
