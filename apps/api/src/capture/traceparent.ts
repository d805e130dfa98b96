/** Version 00 of W3C Trace Context. A later version may have more behind it, which begins with a hyphen. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/**
 * Reads a `traceparent` header (https://www.w3.org/TR/trace-context/#traceparent-header).
 *
 * @returns the header in version 00, with no flag but the one of that version; undefined without a header or with an
 *   invalid one, which the standard says to ignore.
 */
export function readTraceparent(header: string | undefined): string | undefined {
  const [, version, traceId, spanId, flags = '', rest] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || (version === '00' && rest !== undefined)) return undefined;
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & SAMPLED}`;
}
