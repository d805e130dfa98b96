import { useEffect, useMemo, useState } from 'react';
import { consoleApi } from '../api/clients.ts';
import type { components } from '../api/generated/console.ts';
import { LIVE_MS } from '../api/queries.ts';
import { deliveryQuery, type DeliverySearch } from './delivery-search.ts';

/** A delivery in the log. */
export type Delivery = components['schemas']['WebhookDelivery'];

/** The part of the log that was loaded. */
export interface LiveLog {
  /** The newest deliveries. More may arrive while the log is open. */
  newRows: readonly Delivery[];
  oldRows: readonly Delivery[];
  isLoading: boolean;
  error: unknown;
  readAgain: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
}

const PATH = '/webhook-deliveries';
const PAGE = 50;
/** The number of new deliveries after which the log restarts at the newest one. */
const MAX_NEW = 200;

/**
 * Reads the delivery log, newest first, with live updates. It starts at the newest delivery at the time of opening. Later
 * deliveries are read in ascending order from there, and older ones page by page, so no row moves from one page to another.
 */
export function useDeliveryLog(search: DeliverySearch): LiveLog {
  const key = JSON.stringify(search);
  // The end of a period is fixed when it is selected. A moving start would produce another list every second.
  const filters = useMemo(() => deliveryQuery(JSON.parse(key) as DeliverySearch, new Date()), [key]);
  const opened = consoleApi.useQuery(
    'get',
    PATH,
    { params: { query: { ...filters, order: 'desc', limit: 1 } } },
    {
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) => (state.data?.data.length === 0 ? LIVE_MS : false),
    },
  );
  const first = opened.data?.data[0];
  // Ids ascend, and an ascending cursor may be any id. This one starts just before the first row.
  const cursor = first === undefined ? '0' : String(BigInt(first.id) - 1n);
  const newer = consoleApi.useQuery(
    'get',
    PATH,
    { params: { query: { ...filters, order: 'asc', limit: MAX_NEW, cursor } } },
    { enabled: first !== undefined, refetchInterval: LIVE_MS },
  );
  const older = consoleApi.useInfiniteQuery(
    'get',
    PATH,
    { params: { query: { ...filters, order: 'desc', limit: PAGE, cursor: opened.data?.nextCursor ?? '' } } },
    {
      enabled: opened.data?.hasMore === true,
      pageParamName: 'cursor',
      initialPageParam: opened.data?.nextCursor,
      getNextPageParam: ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
      // Final deliveries do not change.
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ data }) => data.some(({ status }) => status === 'pending')) === true
          ? LIVE_MS
          : false,
    },
  );
  const hasMoreNew = newer.data?.hasMore === true;
  const { refetch: openAgain } = opened;
  useEffect(() => {
    if (hasMoreNew) void openAgain();
  }, [hasMoreNew, openAgain]);
  const newRows = useMemo(
    () => newer.data?.data.toReversed() ?? (first === undefined ? [] : [first]),
    [newer.data, first],
  );
  const oldRows = useMemo(() => older.data?.pages.flatMap(({ data }) => data) ?? [], [older.data]);
  return {
    newRows,
    oldRows,
    isLoading: opened.isLoading || older.isLoading,
    error: opened.error ?? newer.error ?? older.error,
    readAgain: () => void Promise.all([opened.refetch(), older.refetch()]),
    hasMore: older.hasNextPage,
    isLoadingMore: older.isFetchingNextPage,
    loadMore: () => void older.fetchNextPage(),
  };
}

/**
 * Holds new rows back while the reader has scrolled down, so that the page does not move.
 *
 * @param newRows newest first.
 * @param key a changed key shows everything.
 */
export function useHeldBack(newRows: readonly Delivery[], isReading: boolean, key: string) {
  const newestId = newRows[0]?.id ?? '0';
  const [seen, setSeen] = useState({ key, id: newestId });
  useEffect(() => {
    if (!isReading) setSeen({ key, id: newestId });
  }, [isReading, key, newestId]);
  if (!isReading || seen.key !== key) return { shown: newRows, heldBack: 0 };
  const shown = newRows.filter(({ id }) => BigInt(id) <= BigInt(seen.id));
  return { shown, heldBack: newRows.length - shown.length };
}
