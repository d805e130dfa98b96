/** The longest wait between failed attempts, unless the API asks for a longer one. */
const MAX_BACKOFF_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
/** The longest `Retry-After` that is obeyed. The API asks for a minute at most; a longer time comes from an intermediary. */
const MAX_RETRY_AFTER_MS = 15 * 60_000;

/** The three forms of an HTTP date. `Date.parse` alone accepts almost anything: `-5`, `1.5` and `5 minutes`. */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]*,? )(?:\d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/**
 * Parses a `Retry-After` header: seconds, also with a fraction as some servers send, or an HTTP date.
 *
 * @returns milliseconds from now, or null without a usable header.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : httpDateMs(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS);
}

/** Parses an HTTP date, whose time zone is always GMT. Returns NaN for other texts. */
function httpDateMs(text: string): number {
  if (!HTTP_DATE.test(text)) return NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/**
 * Returns how long to wait after a failed attempt: twice as long each time, up to a minute, minus up to a random half. The
 * random part spreads the requests of clients that lost the API at the same moment.
 *
 * @param failures how many attempts have failed in a row, from 1.
 * @param random a number from 0 to 1.
 */
export function backoffMs(failures: number, random: number): number {
  const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 20), MAX_BACKOFF_MS);
  return ceiling / 2 + (ceiling / 2) * random;
}

/** Waits. Returns early, without an error, when the signal is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });

    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
  });
}
