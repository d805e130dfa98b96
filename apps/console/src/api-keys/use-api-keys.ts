import { useEffect } from 'react';
import { managementApi } from '../api/clients.ts';
import { LIVE_MS } from '../api/queries.ts';
import type { ApiKey } from './api-key.ts';

const PAGE_SIZE = 500;

/** All keys of the workspace, the newest first; undefined until they are read. */
export function useApiKeys(): { keys: ApiKey[] | undefined; error: unknown; refetch: () => void } {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    managementApi.useInfiniteQuery(
      'get',
      '/api-keys',
      { params: { query: { limit: PAGE_SIZE } } },
      {
        pageParamName: 'cursor',
        initialPageParam: '0',
        getNextPageParam: (last) => (last.hasMore ? last.nextCursor : undefined),
        refetchInterval: LIVE_MS,
      },
    );
  // The list is in the order of creation, so the newest keys are on its last page.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const keys: ApiKey[] | undefined = data?.pages.flatMap((page) => page.data).toReversed();
  return { keys, error, refetch: () => void refetch() };
}
