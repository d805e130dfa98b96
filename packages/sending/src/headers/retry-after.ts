/** An HTTP date in the only form that senders may generate (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** Longer waits are reduced to this one, which is ten years. */
const MAX_SECONDS = 10 * 365 * 86_400;

/**
 * Returns the wait that a `Retry-After` header asks for, in whole seconds, rounded up.
 *
 * @param header a number of seconds or an HTTP date (RFC 9110, section 10.2.3).
 * @param nowMs the current time; a date in the past is a wait of zero.
 * @returns null if the header is missing or has another form.
 */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text), MAX_SECONDS);
  if (!HTTP_DATE.test(text)) return null;
  const seconds = Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_SECONDS);
}
