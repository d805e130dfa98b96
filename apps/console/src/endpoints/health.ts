import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';
import { LIVE_MS } from '../api/queries.ts';
import type { Range } from '../graphs/range.ts';

/** The attempts of an endpoint over a period, and its waiting deliveries. */
export type Health = components['schemas']['EndpointHealth'];

/** Returns the number of consecutive failures that disables an endpoint; undefined until it is loaded. */
export function useDisableAfter(): number | undefined {
  const { data } = consoleApi.useQuery('get', '/endpoint-health', { params: { query: { range: 'day' } } });
  return data?.disableAfter;
}

/** Returns the health of all endpoints by their ids; empty until it is loaded. */
export function useEndpointHealth(range: Range): ReadonlyMap<number, Health> {
  const { data } = consoleApi.useQuery(
    'get',
    '/endpoint-health',
    { params: { query: { range } } },
    { refetchInterval: LIVE_MS, placeholderData: (before) => before },
  );
  return new Map(data?.data.map((health) => [health.endpointId, health]));
}
