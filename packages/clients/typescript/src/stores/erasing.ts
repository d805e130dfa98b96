import type { Feed, FeedPage, FeedRecords } from '../feeds/feeds.ts';

/** The changes that an erasure makes to the rows of a feed. */
export interface Clearing {
  feed: Feed;
  /** The field that selects the rows, and its values. */
  field: string;
  values: ReadonlySet<string>;
  /** The fields to overwrite, with their new values. */
  set: Readonly<Record<string, unknown>>;
  /** Only rows that changed at this time or before, by `updatedAt`. */
  until?: string;
  /** Only rows with a smaller id (an integer). */
  before?: string;
}

const ERASED_PERSON = { name: null, email: null };
const NO_NAME = { email: null, name: null, role: null, title: null };
const EVENT_TEXTS = { metadata: {}, demoTitle: null, buyerSpaceName: null };
const VIEW_TEXTS = { demoTitle: null, buyerSpaceName: null };

/** An entry of `GET /erasures`, limited to the fields that select what to erase. */
export type Erasure = Omit<FeedRecords['erasures'], 'id' | 'erasureId' | 'kind' | 'emailSha256'>;

/** The feeds whose rows an erasure changes. The rows of all other feeds appear again after it has changed them. */
export const ERASED_FEEDS: readonly Feed[] = [
  'people',
  'distributions',
  'engagement/events',
  'engagement/views',
];

/**
 * Lists the changes that an erasure makes to a copy. Events and views appear only once, so the copy has to change them. People
 * and share links appear again, but should not wait for that.
 */
export function clearingsOf(erasure: Erasure): Clearing[] {
  const { buyerSpaceId, engagementBefore } = erasure;
  const until = erasure.erasedAt;
  const personIds = new Set(erasure.personIds);
  const people = { field: 'personId', values: personIds, set: { actor: ERASED_PERSON } };
  const idsIn = (ids: readonly string[]) => ({ field: 'id', values: new Set(ids) });
  const clearings: Clearing[] = [
    { feed: 'people', field: 'id', values: personIds, set: NO_NAME, until },
    { feed: 'distributions', ...idsIn(erasure.distributionIds), set: { recipient: ERASED_PERSON }, until },
    { feed: 'engagement/events', ...people },
    { feed: 'engagement/views', ...people },
    { feed: 'engagement/events', ...idsIn(erasure.engagementEventIds), set: EVENT_TEXTS },
    { feed: 'engagement/views', ...idsIn(erasure.engagementViewIds), set: VIEW_TEXTS },
  ];
  if (buyerSpaceId !== null && engagementBefore !== null) {
    const room = { field: 'buyerSpaceId', values: new Set([buyerSpaceId]), before: engagementBefore };
    clearings.push(
      { feed: 'engagement/events', ...room, set: { actor: ERASED_PERSON, ...EVENT_TEXTS } },
      { feed: 'engagement/views', ...room, set: { actor: ERASED_PERSON, ...VIEW_TEXTS } },
    );
  }
  return clearings.filter(({ values }) => values.size > 0);
}

/** Returns a record with the changes of its feed applied. The record itself is not modified. */
export function clearRecord<Item extends object>(record: Item, clearings: readonly Clearing[]): Item {
  const changes = clearings.filter((clearing) => isAffected(clearing, record as Record<string, unknown>));
  return Object.assign({}, record, ...changes.map(({ set }) => set)) as Item;
}

/** Returns whether an erasure changes a record. */
function isAffected({ field, values, until, before }: Clearing, record: Record<string, unknown>): boolean {
  if (!values.has(record[field] as string)) return false;
  if (until !== undefined && (record['updatedAt'] as string) > until) return false;
  return before === undefined || BigInt(record['id'] as string) < BigInt(before);
}

/** Applies erasures to a page that may have been read before them. Returns the same page if they change nothing in its feed. */
export function clearPage<F extends Feed>(
  feed: F,
  page: FeedPage<F>,
  erasures: readonly Erasure[],
): FeedPage<F> {
  const clearings = erasures.flatMap(clearingsOf).filter((clearing) => clearing.feed === feed);
  if (clearings.length === 0) return page;
  return { ...page, data: page.data.map((record) => clearRecord(record, clearings)) };
}

/** The maximum lag of an API replica, with a wide margin: a page from the replica can lack erasures of that period. */
const MAX_LAG_MS = 60_000;

/**
 * Returns the time from which erasures may be missing in a page that is read after an erasure became known.
 *
 * @param knownAt the latest `erasedAt` that was known before the page was read; null without one.
 * @returns null if every erasure may be missing.
 */
export function missingSince(knownAt: string | null): string | null {
  return knownAt === null ? null : new Date(Date.parse(knownAt) - MAX_LAG_MS).toISOString();
}
