import { randomBytes } from 'node:crypto';

/** The flags of every attempt. A receiver that follows its caller's sampling traces all deliveries. */
const SAMPLED = '01';

/**
 * Builds the `traceparent` header (W3C Trace Context) of an attempt with a span of its own.
 *
 * @param traceId the trace id, or the id of the event, as a UUID.
 */
export function newTraceparent(traceId: string): string {
  return toTraceparent(traceId, `${randomBytes(8).toString('hex')}-${SAMPLED}`);
}

/**
 * Builds a `traceparent` header.
 *
 * @param traceId the trace id as a UUID.
 * @param span the span id and the flags, as at the end of the header.
 */
export function toTraceparent(traceId: string, span: string): string {
  return `00-${traceId.replaceAll('-', '')}-${span}`;
}

/**
 * Builds the `traceparent` header of an attempt. All attempts of an event, at every endpoint, belong to one trace: the trace of
 * the request that captured the event, or one whose id is the id of the event without hyphens.
 *
 * With tracing, each attempt is a span of its own. Without it, the receiver gets the span of the capturing request: the standard
 * requires this of a service that does not trace, because a span of the attempt would be recorded nowhere. The standard also
 * requires a new span id from a service that sets the sampled flag.
 *
 * @param traceId the trace id, or the id of the event, as a UUID.
 * @param captureTraceparent the header of the capturing request; null if there was none.
 */
export function attemptTraceparent(
  traceId: string,
  captureTraceparent: string | null,
  isTraced: boolean,
): string {
  if (!isTraced && captureTraceparent?.endsWith(`-${SAMPLED}`)) return captureTraceparent;
  return newTraceparent(traceId);
}
