import type { Feed, FeedPage, FeedRecords } from '../feeds/feeds.ts';

/** A change that an erasure makes to the rows of a feed. */
export interface Clearing {
  feed: Feed;
  /** The field that identifies the rows, and its values in them. */
  field: string;
  values: ReadonlySet<string>;
  /** The fields to overwrite, with their new values. */
  set: Readonly<Record<string, unknown>>;
  /** Applies only to rows whose `updatedAt` is at or before this time. */
  until?: string;
  /** Applies only to rows with a smaller id, which is an integer. */
  before?: string;
}

const NO_PERSON = { name: null, email: null };
const NO_NAME = { email: null, name: null, role: null, title: null };
const EVENT_TEXTS = { metadata: {}, demoTitle: null, buyerSpaceName: null };
const VIEW_TEXTS = { demoTitle: null, buyerSpaceName: null };

/** The fields of an entry of `GET /erasures` that determine what to erase. */
export type Erasure = Omit<FeedRecords['erasures'], 'id' | 'erasureId' | 'kind' | 'emailSha256'>;

/** The feeds whose rows an erasure changes. All other feeds return the changed rows again. */
export const ERASED_FEEDS: readonly Feed[] = [
  'people',
  'distributions',
  'engagement/events',
  'engagement/views',
];

/**
 * Lists the changes that an erasure makes to a copy. Events and views are returned only once, so the copy has to change them.
 * People and share links are returned again, but their erasure should not wait for that.
 */
export function listClearings(erasure: Erasure): Clearing[] {
  const { buyerSpaceId, engagementBefore } = erasure;
  const until = erasure.erasedAt;
  const personIds = new Set(erasure.personIds);
  const people = { field: 'personId', values: personIds, set: { actor: NO_PERSON } };
  const idsIn = (ids: readonly string[]) => ({ field: 'id', values: new Set(ids) });
  const clearings: Clearing[] = [
    { feed: 'people', field: 'id', values: personIds, set: NO_NAME, until },
    { feed: 'distributions', ...idsIn(erasure.distributionIds), set: { recipient: NO_PERSON }, until },
    { feed: 'engagement/events', ...people },
    { feed: 'engagement/views', ...people },
    { feed: 'engagement/events', ...idsIn(erasure.engagementEventIds), set: EVENT_TEXTS },
    { feed: 'engagement/views', ...idsIn(erasure.engagementViewIds), set: VIEW_TEXTS },
  ];
  if (buyerSpaceId !== null && engagementBefore !== null) {
    const room = { field: 'buyerSpaceId', values: new Set([buyerSpaceId]), before: engagementBefore };
    clearings.push(
      { feed: 'engagement/events', ...room, set: { actor: NO_PERSON, ...EVENT_TEXTS } },
      { feed: 'engagement/views', ...room, set: { actor: NO_PERSON, ...VIEW_TEXTS } },
    );
  }
  return clearings.filter(({ values }) => values.size > 0);
}

/** Applies the changes of erasures to a record of their feed. Returns a new record. */
export function clearRecord<Item extends object>(record: Item, clearings: readonly Clearing[]): Item {
  const changes = clearings.filter((clearing) => appliesTo(clearing, record as Record<string, unknown>));
  return Object.assign({}, record, ...changes.map(({ set }) => set)) as Item;
}

/** Whether a change applies to a record. */
function appliesTo({ field, values, until, before }: Clearing, record: Record<string, unknown>): boolean {
  if (!values.has(record[field] as string)) return false;
  if (until !== undefined && (record['updatedAt'] as string) > until) return false;
  return before === undefined || BigInt(record['id'] as string) < BigInt(before);
}

/**
 * Applies erasures to a page that may have been read before them. Returns the same page if they change nothing in its feed.
 */
export function clearPage<F extends Feed>(
  feed: F,
  page: FeedPage<F>,
  erasures: readonly Erasure[],
): FeedPage<F> {
  const clearings = erasures.flatMap(listClearings).filter((clearing) => clearing.feed === feed);
  if (clearings.length === 0) return page;
  return { ...page, data: page.data.map((record) => clearRecord(record, clearings)) };
}

/** How far a replica of the API may lag behind, with a wide margin. A page from it may lack erasures of that period. */
const MAX_LAG_MS = 60_000;

/**
 * Returns the start of the period whose erasures a page may lack, if it is read after an erasure became known.
 *
 * @param knownAt the latest `erasedAt` that was known before the page was read; null if there was none.
 * @returns null if every erasure may be missing.
 */
export function missingSince(knownAt: string | null): string | null {
  return knownAt === null ? null : new Date(Date.parse(knownAt) - MAX_LAG_MS).toISOString();
}
