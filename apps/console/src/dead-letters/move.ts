import { integrationFetch } from '../api/clients.ts';
import { ApiFailure } from '../api/failures.ts';
import type { operations } from '../api/generated/integration.ts';

/** What happens to dead letters. */
export type Action = 'retry' | 'dismiss';

type Body = NonNullable<operations['retryDeadDeliveries']['requestBody']>['content']['application/json'];
type Moved = operations['retryDeadDeliveries']['responses'][200]['content']['application/json'];

/** Dead letters of one endpoint. */
export interface Selection extends Omit<Body, 'limit' | 'cursor'> {
  endpointId: number;
}

/** Dead letters of one endpoint, and how many of them there are. */
export interface CountedSelection {
  selection: Selection;
  count: number;
  /** False if there are more, which were not counted. */
  isExact: boolean;
}

/** How many are moved by one request: few enough to show progress. */
const AT_ONCE = 500;
/** The same if they were too many to count, so that there are not too many requests. */
const AT_ONCE_OF_MANY = 5_000;
/** How long to wait if the API does not say how long. */
const PAUSE_SECONDS = 5;

/** Sends one request that moves dead letters. */
type Send = (action: Action, endpointId: number, body: Body) => Promise<Moved>;

/**
 * Moves dead letters, each once: one that is dead again by then is not moved again. No more of them are moved than were
 * counted, unless they were too many to count. Then all are moved.
 *
 * @param onProgress is given how many have been moved so far.
 * @param signal ends it between two requests, and while it waits.
 */
export async function moveDeadLetters(
  action: Action,
  selections: readonly CountedSelection[],
  onProgress: (moved: number) => void,
  signal: AbortSignal,
  send: Send = sendMove,
): Promise<void> {
  let moved = 0;
  for (const { selection, count, isExact } of selections) {
    const { endpointId, ...filters } = selection;
    const atOnce = isExact ? AT_ONCE : AT_ONCE_OF_MANY;
    let left = isExact ? count : Number.POSITIVE_INFINITY;
    let cursor: string | null | undefined;
    while (left > 0 && cursor !== null && !signal.aborted) {
      const body = { ...filters, limit: Math.min(atOnce, left), ...(cursor !== undefined && { cursor }) };
      const done = await send(action, endpointId, body).catch((error: unknown) => waitFor(error, signal));
      if (done === 'again') continue;
      cursor = done.nextCursor;
      left -= done.count;
      moved += done.count;
      onProgress(moved);
    }
  }
}

/** Waits as long as the API asks for, if there were too many requests. @throws the error if it was another one. */
async function waitFor(error: unknown, signal: AbortSignal): Promise<'again'> {
  if (!(error instanceof ApiFailure) || error.status !== 429) throw error;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, 1_000 * (error.retryAfterSeconds ?? PAUSE_SECONDS));
    signal.addEventListener('abort', end);
  });
  return 'again';
}

async function sendMove(action: Action, endpointId: number, body: Body): Promise<Moved> {
  const path = action === 'retry' ? '/webhooks/{id}/retry-dead' : '/webhooks/{id}/dismiss-dead';
  const { data } = await integrationFetch.POST(path, { params: { path: { id: endpointId } }, body });
  if (data === undefined) throw new Error('the response has no body');
  return data;
}
