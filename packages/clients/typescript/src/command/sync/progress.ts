import type { Feed, FeedPage } from '../../feeds/feeds.ts';

const BAR_CHARACTERS = 24;
const NUMBER = new Intl.NumberFormat('en-US');

/** Returns the time of a record in its feed, which shows how far a backfill has come. */
function recordTime(record: object): number {
  const { updatedAt, lastActivityAt, occurredAt, startedAt, createdAt } = record as Record<
    string,
    string | undefined
  >;
  return Date.parse(updatedAt ?? lastActivityAt ?? occurredAt ?? startedAt ?? createdAt ?? '');
}

/** Formats a number of records. */
export function formatRecords(count: number): string {
  return `${NUMBER.format(count)} ${count === 1 ? 'record' : 'records'}`;
}

/**
 * Tracks the progress of a feed. The number of records of a feed is unknown, so the bar shows how much of the time between its
 * first record and now has been read.
 */
export class Progress {
  records = 0;
  readonly #feed: Feed;
  readonly #startedAt = performance.now();
  #first = NaN;
  #share = 0;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Counts a page. */
  add(page: FeedPage, now = Date.now()): void {
    const [first] = page.data;
    const last = page.data.at(-1);
    if (first === undefined || last === undefined) return;
    if (this.records === 0) this.#first = recordTime(first);
    this.records += page.data.length;
    const share = (recordTime(last) - this.#first) / (now - this.#first);
    // Events may have dates in any order, and in the future.
    if (share >= 0 && share <= 1) this.#share = Math.max(this.#share, share);
    if (!page.hasMore) this.#share = 1;
  }

  /** Returns the progress line of a terminal. */
  line(): string {
    const filled = Math.round(this.#share * BAR_CHARACTERS);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled);
    const seconds = Math.max(0.001, (performance.now() - this.#startedAt) / 1_000);
    const percent = String(Math.floor(this.#share * 100)).padStart(3);
    const rate = NUMBER.format(Math.round(this.records / seconds));
    return `${this.#feed.padEnd(18)} ${bar} ${percent} %  ${formatRecords(this.records)}, ${rate}/s`;
  }
}
