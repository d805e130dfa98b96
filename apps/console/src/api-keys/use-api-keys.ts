import { useSuspenseQuery } from '@tanstack/react-query';
import { integrationFetch } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import type { ApiKey } from './api-key.ts';

/** Returns all keys of the workspace, newest first. */
export function useApiKeys(): ApiKey[] {
  return useSuspenseQuery({
    queryKey: ['api keys'],
    queryFn: ({ signal }) => readKeys(signal),
    refetchInterval: LIVE_MS,
  }).data;
}

async function readKeys(signal: AbortSignal): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (let cursor = '0'; ;) {
    const query = { limit: 500, cursor };
    const { data } = await integrationFetch.GET('/api-keys', { params: { query }, signal });
    if (data === undefined) throw new Error('no keys were read');
    keys.push(...data.data);
    if (!data.hasMore) return keys.toReversed();
    cursor = data.nextCursor;
  }
}
