import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, UnreachableFailure } from './failures.ts';

/** How often an open page polls for changes, in milliseconds. */
export const LIVE_MS = 5_000;
const MAX_TRIES = 3;
const MAX_WAIT_MS = 30_000;

/** The cache of API responses. Every change that this page makes invalidates all of it. */
export const queries: QueryClient = new QueryClient({
  // Runs after the change's own callback: the page of a removed object is left before everything is read again.
  mutationCache: new MutationCache({ onSettled: () => void queries.invalidateQueries() }),
  defaultOptions: {
    queries: {
      staleTime: LIVE_MS,
      // Without a network, a request fails and the page shows why, instead of waiting silently.
      networkMode: 'always',
      retry: (tries, error) => tries < MAX_TRIES && isTransient(error),
      retryDelay: (tries, error) => waitMs(tries, error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Removes failed requests of hidden parts from the cache, so that they are repeated when shown again. */
export function clearFailures(): void {
  queries.removeQueries({ predicate: ({ state }) => state.status === 'error', type: 'inactive' });
}

/** Returns the latest failure of a request that is being repeated; null if there is none. */
export function fetchFailure(): Error | null {
  const [repeated] = queries.getQueryCache().findAll({
    predicate: ({ state }) => state.fetchStatus === 'fetching' && state.fetchFailureReason !== null,
  });
  return repeated?.state.fetchFailureReason ?? null;
}

/** Calls a function when a request starts, fails or ends. @returns a function that unsubscribes. */
export function onFetchChange(listener: () => void): () => void {
  return queries.getQueryCache().subscribe(listener);
}

/** Whether the same request may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UnreachableFailure) return true;
  return error instanceof ApiFailure && (error.status === 429 || error.status >= 500);
}

function waitMs(tries: number, error: unknown): number {
  const wanted = error instanceof ApiFailure ? error.retryAfterSeconds : null;
  return Math.min(MAX_WAIT_MS, wanted === null ? 500 * 2 ** tries : wanted * 1_000);
}
