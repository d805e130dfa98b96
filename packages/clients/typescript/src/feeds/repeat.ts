import { ApiRefusal, ApiUnavailable, messageOf, type Refusal } from '../errors.ts';
import { backoffMs, retryAfterMs, wait } from './waiting.ts';

/** How long a request is repeated, and how its waits are reported. */
export interface Patience {
  signal?: AbortSignal | undefined;
  /** How long the API may be unavailable before `ApiUnavailable` is thrown. */
  giveUpAfterMs: number;
  /** Called before each wait, with the error. */
  onWait?: ((problem: string, waitMs: number) => void) | undefined;
}

/** A response, and its body if it is an error. */
export interface Sent {
  response: Response;
  error?: unknown;
}

/** The outcome of one attempt: the result, or the error and the wait that the API asked for, if any. */
export type Attempt<Result> = { result: Result } | { problem: string; waitMs: number | null };

/**
 * Repeats an attempt until it succeeds. Waits as long as the API asks, or longer after each failure.
 *
 * @param mayWait whether to continue, given the number of failures and the next wait.
 * @returns the last attempt, which is a failure if `mayWait` returned false; null if the signal is aborted.
 */
export async function repeat<Last extends Attempt<unknown>>(
  tryOnce: () => Promise<Last>,
  mayWait: (failures: number, waitMs: number) => boolean,
  { signal, onWait }: Pick<Patience, 'signal'> & { onWait?: (problem: string, waitMs: number) => void },
): Promise<Last | null> {
  for (let failures = 1; ; failures += 1) {
    const last = await tryOnce();
    if (signal?.aborted) return null;
    if ('result' in last) return last;
    // Waits even if the server asks for no wait, to avoid a busy loop.
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
 * Sends a request, and repeats it until it succeeds: after a 429 or 503 once `Retry-After` has passed, and with growing waits
 * after other 5xx responses, a broken connection or a timeout.
 *
 * @param send sends the request once, and leaves the body of a successful response unread.
 * @param isUsable whether the body of a successful response is what the API sends.
 * @returns the body; null if the signal is aborted.
 * @throws ApiRefusal if the API refuses the request permanently.
 * @throws ApiUnavailable
 */
export async function repeatUntilDone(
  name: string,
  send: () => Promise<Sent>,
  isUsable: (body: unknown) => boolean,
  { signal, giveUpAfterMs, onWait }: Patience,
): Promise<unknown> {
  const startedAt = performance.now();
  const last = await repeat(
    () => attempt(name, send),
    (_failures, waitMs) => performance.now() + waitMs - startedAt <= giveUpAfterMs,
    { signal, onWait: (problem, waitMs) => onWait?.(`${name}: ${problem}`, waitMs) },
  );
  if (last === null) return null;
  if ('problem' in last) throw new ApiUnavailable(`${name}: ${last.problem}`);
  return checkBody(last.result.response, parseJson(last.result.body), isUsable);
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
  const { error, code, field } = parseError(sent.error);
  const problem = [response.status, code, error ?? (response.statusText || 'no explanation')]
    .filter((part) => part !== null)
    .join(' ');
  if (isTemporary(response.status)) {
    return { problem, waitMs: requestedWaitMs(response) };
  }
  throw createRefusal(`${name}: ${problem}`, response, { code, field });
}

/** Returns how long a response asks to wait; null if it does not ask. */
export function requestedWaitMs({ headers }: Response): number | null {
  return retryAfterMs(headers.get('retry-after'), Date.now());
}

/** Whether the same request may succeed later. 408 comes from the timeout of a proxy. */
export function isTemporary(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function checkBody(response: Response, body: unknown, isUsable: (body: unknown) => boolean): unknown {
  if (typeof body === 'object' && body !== null && isUsable(body)) return body;
  const message = `${response.url} did not respond like the Deal Signals API: is DEAL_SIGNALS_URL right?`;
  throw createRefusal(message, response, { code: null, field: null });
}

function createRefusal(
  message: string,
  { status, headers }: Response,
  described: Pick<Refusal, 'code' | 'field'>,
): ApiRefusal {
  return new ApiRefusal(message, { status, ...described, requestId: headers.get('x-request-id') });
}

/** Reads the fields of an API error from the body of an error response. */
function parseError(value: unknown): Pick<Refusal, 'code' | 'field'> & { error: string | null } {
  const body = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const textOf = (name: string) => (typeof body[name] === 'string' ? body[name] : null);
  return { error: textOf('error'), code: textOf('code'), field: textOf('field') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
