import { integrationFetch } from '../api/clients.ts';
import { ApiFailure } from '../api/failures.ts';
import type { operations } from '../api/generated/integration.ts';

/** What to do with dead letters. */
export type Action = 'retry' | 'dismiss';

type Body = NonNullable<operations['retryDeadDeliveries']['requestBody']>['content']['application/json'];
type Moved = operations['retryDeadDeliveries']['responses'][200]['content']['application/json'];

/** A selection of dead letters of one endpoint. */
export interface Selection extends Omit<Body, 'limit' | 'cursor'> {
  endpointId: number;
}

/** A selection of dead letters of one endpoint, with their number. */
export interface CountedSelection {
  selection: Selection;
  count: number;
  /** False if the count stopped at its maximum. */
  isExact: boolean;
}

/** The number of dead letters per request: few enough to show progress. */
const BATCH_SIZE = 500;
/** The number per request if there were too many to count, to limit the number of requests. */
const LARGE_BATCH_SIZE = 5_000;
/** How long to wait if the API does not send a time. */
const PAUSE_SECONDS = 5;

/** Sends one request that moves dead letters. */
type Send = (action: Action, endpointId: number, body: Body) => Promise<Moved>;

/**
 * Moves each dead letter once: a delivery that dies again during the run is not moved again. Moves no more than were counted,
 * unless there were too many to count. In that case, it moves all.
 *
 * @param onProgress called with the number moved so far.
 * @param signal stops between two requests, and during waits.
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
    const batchSize = isExact ? BATCH_SIZE : LARGE_BATCH_SIZE;
    let left = isExact ? count : Number.POSITIVE_INFINITY;
    let cursor: string | null | undefined;
    while (left > 0 && cursor !== null && !signal.aborted) {
      const body = { ...filters, limit: Math.min(batchSize, left), ...(cursor !== undefined && { cursor }) };
      const done = await send(action, endpointId, body).catch((error: unknown) => waitFor(error, signal));
      if (done === 'again') continue;
      cursor = done.nextCursor;
      left -= done.count;
      moved += done.count;
      onProgress(moved);
    }
  }
}

/** Waits as long as the API asks after a 429. @throws any other error. */
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
