import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, UnreachableFailure } from './failures.ts';

/** How often an open page refreshes, in milliseconds. */
export const LIVE_MS = 5_000;
const MAX_TRIES = 3;
const LONGEST_WAIT_MS = 30_000;

/** The cache of responses. Every change that this page makes invalidates all of it. */
export const queries: QueryClient = new QueryClient({
  // Runs after the mutation's own handlers: the page of a removed object is left before everything is refetched.
  mutationCache: new MutationCache({ onSettled: () => void queries.invalidateQueries() }),
  defaultOptions: {
    queries: {
      staleTime: LIVE_MS,
      // While the network is down, a request fails and the page reports it, instead of pausing silently.
      networkMode: 'always',
      retry: (tries, error) => tries < MAX_TRIES && mayPass(error),
      retryDelay: (tries, error) => waitMs(tries, error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Removes failed queries that are not on the page, so that they are read again when they are next shown. */
export function forgetFailures(): void {
  queries.removeQueries({ predicate: ({ state }) => state.status === 'error', type: 'inactive' });
}

/** Returns why a retried request has failed so far; null if there is none. */
export function failureOfFetch(): Error | null {
  const [repeated] = queries.getQueryCache().findAll({
    predicate: ({ state }) => state.fetchStatus === 'fetching' && state.fetchFailureReason !== null,
  });
  return repeated?.state.fetchFailureReason ?? null;
}

/** Calls a function when a request begins, fails or ends. @returns a function that stops this. */
export function onFetchChange(listener: () => void): () => void {
  return queries.getQueryCache().subscribe(listener);
}

/** Returns whether the same request may succeed later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof UnreachableFailure) return true;
  return error instanceof ApiFailure && (error.status === 429 || error.status >= 500);
}

function waitMs(tries: number, error: unknown): number {
  const wanted = error instanceof ApiFailure ? error.retryAfterSeconds : null;
  return Math.min(LONGEST_WAIT_MS, wanted === null ? 500 * 2 ** tries : wanted * 1_000);
}
