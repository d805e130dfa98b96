import { randomBytes } from 'node:crypto';

/** What every attempt is marked with: a receiver that samples as its caller does traces all deliveries. */
const SAMPLED = '01';

/**
 * Builds the `traceparent` header of an attempt (W3C Trace Context). All attempts of an event, at every endpoint, belong
 * to one trace: that of the request that captured the event, or one whose id is the id of the event without hyphens. Each
 * attempt is a span of its own.
 *
 * @param traceId the trace id, or the id of the event, as a UUID.
 */
export function newTraceparent(traceId: string): string {
  return `00-${traceId.replaceAll('-', '')}-${randomBytes(8).toString('hex')}-${SAMPLED}`;
}
