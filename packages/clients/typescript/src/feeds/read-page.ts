import { type DealSignalsClient, sentOnce } from '../client.ts';
import type { Feed, FeedPage } from './feeds.ts';
import { type Patience, repeatUntilDone } from './repeat.ts';

/** Which page of a feed to read. */
export interface PageRequest extends Patience {
  /** The stored cursor, or null to begin at the start of the feed. */
  cursor: string | null;
  /** Maximum number of records: 1 to 500. */
  limit: number;
  /** Further parameters of the feed. */
  query?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads a page of a feed, and repeats the request until it succeeds.
 *
 * @returns null if the signal is aborted.
 * @throws ApiRefusal
 * @throws ApiUnavailable
 */
export async function readPage<F extends Feed>(
  client: DealSignalsClient,
  feed: F,
  { cursor, limit, query, ...patience }: PageRequest,
): Promise<FeedPage<F> | null> {
  const { signal } = patience;
  const page = await repeatUntilDone(
    feed,
    // One call for all feeds, because they differ only in their filters.
    () =>
      client.GET(`/${feed as 'calls'}`, {
        params: { query: { ...query, limit, ...(cursor !== null && { cursor }) } },
        parseAs: 'stream',
        ...sentOnce(client),
        ...(signal && { signal }),
      }),
    isPage,
    patience,
  );
  return page as FeedPage<F> | null;
}

function isPage(body: unknown): boolean {
  const { data, nextCursor, hasMore } = body as Partial<FeedPage>;
  return Array.isArray(data) && typeof nextCursor === 'string' && typeof hasMore === 'boolean';
}
