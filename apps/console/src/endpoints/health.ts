import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';
import { LIVE_MS } from '../api/queries.ts';
import type { Range } from '../graphs/range.ts';

/** The attempts at an endpoint over a period, and what waits at it. */
export type Health = components['schemas']['EndpointHealth'];

/** After how many failures in a row an endpoint is disabled; undefined until it is read. */
export function useDisableAfter(): number | undefined {
  const { data } = consoleApi.useQuery('get', '/endpoint-health', { params: { query: { range: 'day' } } });
  return data?.disableAfter;
}

/** The health of all endpoints by their ids; empty until it is read. */
export function useEndpointHealth(range: Range): ReadonlyMap<number, Health> {
  const { data } = consoleApi.useQuery(
    'get',
    '/endpoint-health',
    { params: { query: { range } } },
    { refetchInterval: LIVE_MS, placeholderData: (before) => before },
  );
  return new Map(data?.data.map((health) => [health.endpointId, health]));
}
