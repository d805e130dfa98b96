import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, UnreachableFailure } from './failures.ts';

/** How often a page that is open asks for news, in milliseconds. */
export const LIVE_MS = 5_000;
const MAX_TRIES = 3;
const LONGEST_WAIT_MS = 30_000;

/** The cache of what was read. Every change that this page makes invalidates all of it. */
export const queries: QueryClient = new QueryClient({
  // After what the change itself does: the page of a removed object is left before everything is read again.
  mutationCache: new MutationCache({ onSettled: () => void queries.invalidateQueries() }),
  defaultOptions: {
    queries: {
      staleTime: LIVE_MS,
      // A request while the network is down fails, and the page says so, instead of waiting without a word.
      networkMode: 'always',
      retry: (tries, error) => tries < MAX_TRIES && mayPass(error),
      retryDelay: (tries, error) => waitMs(tries, error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Forgets what could not be read and is not on the page, so that it is read again when it is next shown. */
export function forgetFailures(): void {
  queries.removeQueries({ predicate: ({ state }) => state.status === 'error', type: 'inactive' });
}

/** Why a request that is being repeated has failed so far; null without one. */
export function failureOfFetch(): Error | null {
  const [repeated] = queries.getQueryCache().findAll({
    predicate: ({ state }) => state.fetchStatus === 'fetching' && state.fetchFailureReason !== null,
  });
  return repeated?.state.fetchFailureReason ?? null;
}

/** Calls a function when a request begins, fails or ends. @returns what ends that. */
export function onFetchChange(listener: () => void): () => void {
  return queries.getQueryCache().subscribe(listener);
}

/** Whether the same request may succeed a little later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof UnreachableFailure) return true;
  return error instanceof ApiFailure && (error.status === 429 || error.status >= 500);
}

function waitMs(tries: number, error: unknown): number {
  const wanted = error instanceof ApiFailure ? error.retryAfterSeconds : null;
  return Math.min(LONGEST_WAIT_MS, wanted === null ? 500 * 2 ** tries : wanted * 1_000);
}
