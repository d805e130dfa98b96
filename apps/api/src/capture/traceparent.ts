/** Version 00 of W3C Trace Context. A later version may append more fields, separated by a hyphen. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/**
 * Reads a `traceparent` header (https://www.w3.org/TR/trace-context/#traceparent-header).
 *
 * @returns the header in version 00, with only the flag that this version defines; undefined if the header is missing or invalid,
 * because the standard requires an invalid one to be ignored.
 */
export function readTraceparent(header: string | undefined): string | undefined {
  const [, version, traceId, spanId, flags = '', rest] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || (version === '00' && rest !== undefined)) return undefined;
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & SAMPLED}`;
}
