import { ApiRefusal, ApiUnavailable, messageOf, type Refusal } from '../errors.ts';
import { backoffMs, retryAfterMs, wait } from './waiting.ts';

/** The retry policy of a request. */
export interface RetryPolicy {
  signal?: AbortSignal | undefined;
  /** How long the API may be unavailable before `ApiUnavailable` is thrown. */
  giveUpAfterMs: number;
  /** Called before each wait, with the problem. */
  onWait?: ((problem: string, waitMs: number) => void) | undefined;
}

/** A response, and its body if it is an error. */
export interface Sent {
  response: Response;
  error?: unknown;
}

/** The outcome of one attempt: the result, or the problem and, if the API sent it, the time to wait. */
export type Attempt<Result> = { result: Result } | { problem: string; waitMs: number | null };

/**
 * Retries an attempt until it succeeds, after the wait that the API requests or with exponential backoff.
 *
 * @param mayWait returns whether to continue after this number of failures and with this wait.
 * @returns the last attempt, which is a failure if `mayWait` ended the retries; null if the signal is aborted.
 */
export async function repeat<Last extends Attempt<unknown>>(
  tryOnce: () => Promise<Last>,
  mayWait: (failures: number, waitMs: number) => boolean,
  { signal, onWait }: Pick<RetryPolicy, 'signal'> & { onWait?: (problem: string, waitMs: number) => void },
): Promise<Last | null> {
  for (let failures = 1; ; failures += 1) {
    const last = await tryOnce();
    if (signal?.aborted) return null;
    if ('result' in last) return last;
    // A server that always responds with a wait of zero must not get requests without a pause.
    const waitMs =
      last.waitMs === null
        ? backoffMs(failures, Math.random())
        : Math.max(last.waitMs, backoffMs(1, Math.random()));
    if (!mayWait(failures, waitMs)) return last;
    onWait?.(last.problem, waitMs);
    await wait(waitMs, signal);
    if (signal?.aborted) return null;
  }
}

/**
 * Sends a request and retries it until it succeeds: after a 429 or 503 when `Retry-After` has passed, and with exponential
 * backoff after a 5xx response, a broken connection or a timeout.
 *
 * @param send sends the request once, and leaves the body of a successful response unread.
 * @param isUsable returns whether the body of a successful response has the API's format.
 * @returns the body; null if the signal is aborted.
 * @throws ApiRefusal if the API rejects the request permanently.
 * @throws ApiUnavailable
 */
export async function repeatUntilDone(
  name: string,
  send: () => Promise<Sent>,
  isUsable: (body: unknown) => boolean,
  { signal, giveUpAfterMs, onWait }: RetryPolicy,
): Promise<unknown> {
  const startedAt = performance.now();
  const last = await repeat(
    () => attempt(name, send),
    (_failures, waitMs) => performance.now() + waitMs - startedAt <= giveUpAfterMs,
    { signal, onWait: (problem, waitMs) => onWait?.(`${name}: ${problem}`, waitMs) },
  );
  if (last === null) return null;
  if ('problem' in last) throw new ApiUnavailable(`${name}: ${last.problem}`);
  return usable(last.result.response, parsed(last.result.body), isUsable);
}

async function attempt(
  name: string,
  send: () => Promise<Sent>,
): Promise<Attempt<{ body: string; response: Response }>> {
  let sent: Sent;
  try {
    sent = await send();
    const { response } = sent;
    if (response.ok) return { result: { response, body: await response.text() } };
  } catch (error) {
    return { problem: messageOf(error), waitMs: null };
  }
  const { response } = sent;
  const { error, code, field } = describedError(sent.error);
  const problem = [response.status, code, error ?? (response.statusText || 'no explanation')]
    .filter((part) => part !== null)
    .join(' ');
  if (isTemporary(response.status)) {
    return { problem, waitMs: requestedWaitMs(response) };
  }
  throw refusalOf(`${name}: ${problem}`, response, { code, field });
}

/** Returns the wait that a response requests; null if it requests none. */
export function requestedWaitMs({ headers }: Response): number | null {
  return retryAfterMs(headers.get('retry-after'), Date.now());
}

/** Returns whether the same request may succeed later. 408 is the timeout of a proxy. */
export function isTemporary(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function usable(response: Response, body: unknown, isUsable: (body: unknown) => boolean): unknown {
  if (typeof body === 'object' && body !== null && isUsable(body)) return body;
  const message = `${response.url} did not respond as the API does: is DEAL_SIGNALS_URL right?`;
  throw refusalOf(message, response, { code: null, field: null });
}

function refusalOf(
  message: string,
  { status, headers }: Response,
  described: Pick<Refusal, 'code' | 'field'>,
): ApiRefusal {
  return new ApiRefusal(message, { status, ...described, requestId: headers.get('x-request-id') });
}

/** Parses the body of an error response, if it is one of the API. */
function describedError(value: unknown): Pick<Refusal, 'code' | 'field'> & { error: string | null } {
  const body = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const textOf = (name: string) => (typeof body[name] === 'string' ? body[name] : null);
  return { error: textOf('error'), code: textOf('code'), field: textOf('field') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
