import { randomBytes } from 'node:crypto';

/** What every attempt is marked with: a receiver that samples as its caller does traces all deliveries. */
const SAMPLED = '01';

/**
 * Builds the `traceparent` header (W3C Trace Context) of an attempt that has a span of its own.
 *
 * @param traceId the trace id, or the id of the event, as a UUID.
 */
export function newTraceparent(traceId: string): string {
  return toTraceparent(traceId, `${randomBytes(8).toString('hex')}-${SAMPLED}`);
}

/**
 * @param traceId as a UUID.
 * @param span its id and its flags, as at the end of the header.
 */
export function toTraceparent(traceId: string, span: string): string {
  return `00-${traceId.replaceAll('-', '')}-${span}`;
}

/**
 * Builds the `traceparent` header of an attempt. All attempts of an event, at every endpoint, belong to one trace: that of
 * the request that captured the event, or one whose id is the id of the event without hyphens.
 *
 * If we trace, each attempt is a span of its own. Otherwise the receiver gets the span of the capturing request, as the
 * standard wants from a service between two that trace: nobody would know a span of ours. The standard also says that who
 * marks a trace as sampled has to replace the span.
 *
 * @param traceId the trace id, or the id of the event, as a UUID.
 * @param captureTraceparent that of the capturing request, if it had one.
 */
export function attemptTraceparent(
  traceId: string,
  captureTraceparent: string | null,
  isTraced: boolean,
): string {
  if (!isTraced && captureTraceparent?.endsWith(`-${SAMPLED}`)) return captureTraceparent;
  return newTraceparent(traceId);
}
