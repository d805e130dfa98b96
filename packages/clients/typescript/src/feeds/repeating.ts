import { messageOf } from '../errors.ts';
import { requestedWaitMs, isTemporary, repeat } from './repeat.ts';

const DEFAULT_ATTEMPTS = 5;
const DEFAULT_GIVE_UP_AFTER_MS = 90_000;

/** How often and for how long a failed call is repeated. */
export interface Repeats {
  /** Maximum number of attempts. Default: 5. */
  attempts?: number;
  /** How long after the first attempt another one may start. Default: 90 seconds; a 429 asks for a wait of 60 at most. */
  giveUpAfterMs?: number;
}

type Send = (request: Request) => Promise<Response>;

/** The result of an attempt: a response or an error. */
type Ending = { response: Response } | { error: unknown };

/** The outcome of one attempt. The ending of a failed attempt is used if it is the last one. */
type Outcome = { result: Ending } | ({ problem: string; waitMs: number | null } & Ending);

/**
 * Makes a `fetch` repeat requests that fail temporarily.
 *
 * Requests that only read are repeated after every temporary failure, also if a body breaks off. Other requests are repeated
 * only after a 429: after any other failure they may have been carried out.
 *
 * @returns a `fetch` that returns the last response. It throws the last error, or the reason of an aborted request.
 */
export function repeating(
  send: Send,
  { attempts = DEFAULT_ATTEMPTS, giveUpAfterMs = DEFAULT_GIVE_UP_AFTER_MS }: Repeats,
): Send {
  return async (request) => {
    const startedAt = performance.now();
    const { signal } = request;
    const last = await repeat(
      () => attempt(send, request),
      (failures, waitMs) => failures < attempts && performance.now() + waitMs - startedAt <= giveUpAfterMs,
      { signal },
    );
    if (last === null) throw signal.reason;
    const ending = 'result' in last ? last.result : last;
    if ('error' in ending) throw ending.error;
    return ending.response;
  };
}

async function attempt(send: Send, request: Request): Promise<Outcome> {
  const onlyReads = request.method === 'GET' || request.method === 'HEAD';
  try {
    // Sending consumes the body.
    const response = await send(request.clone());
    const { status } = response;
    if (status === 429 || (onlyReads && isTemporary(status))) {
      return { response, problem: `status ${status}`, waitMs: requestedWaitMs(response) };
    }
    // A copy is read to its end, because only the end shows that the body is complete.
    if (onlyReads) await response.clone().arrayBuffer();
    return { result: { response } };
  } catch (error) {
    return onlyReads ? { error, problem: messageOf(error), waitMs: null } : { result: { error } };
  }
}
