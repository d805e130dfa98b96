import { Button, Center, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailedScreen } from '../../status-screens/failed-screen.tsx';
import { RowsLoading } from './rows-loading.tsx';

/** A list that is read page by page. */
interface List<Row> {
  data: { pages: { data: readonly Row[] }[] } | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface PagedListProps<Row> {
  list: List<Row>;
  /** The label while the first page is loading, such as "Loading the rooms". */
  loading: string;
  /** Shown instead of an empty list. */
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

/** Shows the loaded rows of a list, a button for more of them, and a message if there are none. */
export function PagedList<Row>({ list, loading, empty, children }: PagedListProps<Row>) {
  if (list.data === undefined) {
    if (list.error === null) return <RowsLoading label={loading} rows={6} />;
    return <FailedScreen error={list.error} retry={() => void list.refetch()} />;
  }
  const rows = list.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0) return empty;
  return (
    <Stack gap="md">
      {children(rows)}
      {list.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

/** The pagination options for `useInfiniteQuery`. */
export const BY_CURSOR = {
  pageParamName: 'cursor',
  // No cursor for the first page. The library would replace undefined with 0.
  initialPageParam: null,
  getNextPageParam: ({ hasMore, nextCursor }: { hasMore: boolean; nextCursor: string }) =>
    hasMore ? nextCursor : undefined,
} as const;
