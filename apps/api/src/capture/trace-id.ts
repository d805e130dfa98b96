/** Version 00 of W3C Trace Context. A later version may have more behind it, which begins with a hyphen. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/**
 * Reads the trace id of a `traceparent` header (https://www.w3.org/TR/trace-context/#traceparent-header).
 *
 * @returns 32 hexadecimal digits; null without a header or with an invalid one, which the standard says to ignore.
 */
export function traceIdOf(header: string | undefined): string | null {
  const [, version, traceId, rest] = TRACEPARENT.exec(header ?? '') ?? [];
  return traceId === undefined || (version === '00' && rest !== undefined) ? null : traceId;
}
