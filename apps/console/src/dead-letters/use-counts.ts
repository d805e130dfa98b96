import { useQueries } from '@tanstack/react-query';
import { consoleApi } from '../api/clients.ts';
import type { CountedSelection, Selection } from './move.ts';

/**
 * Counts the dead letters that a retry or a dismissal would move. Selections by id were counted when they were made.
 *
 * @returns undefined while counting. Endpoints without dead letters are left out.
 */
export function useCounts(
  selections: readonly Selection[],
  isEnabled: boolean,
): { counts: CountedSelection[] | undefined; error: unknown } {
  const results = useQueries({
    queries: selections.map(({ endpointId, deliveryIds, error: cause, ...filters }) => ({
      ...consoleApi.queryOptions('get', '/dead-letters/count', {
        // In the query string, an empty value means deliveries without an error.
        params: {
          query: { endpoint_id: endpointId, ...filters, ...(cause !== undefined && { error: cause ?? '' }) },
        },
      }),
      enabled: isEnabled && deliveryIds === undefined,
      // A number that the user confirms must be fresh.
      gcTime: 0,
      staleTime: 0,
    })),
  });
  const error = results.find((result) => result.error !== null)?.error ?? null;
  const counts: CountedSelection[] = [];
  for (const [index, selection] of selections.entries()) {
    const { data } = results[index] ?? {};
    const { deliveryIds } = selection;
    if (deliveryIds !== undefined) counts.push({ selection, count: deliveryIds.length, isExact: true });
    else if (data === undefined) return { counts: undefined, error };
    else if (data.count > 0) counts.push({ selection, count: data.count, isExact: data.countExact });
  }
  return { counts, error };
}
