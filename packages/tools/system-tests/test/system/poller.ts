import { request } from '../published-api.ts';

/** An object of a feed, with the fields that the tests use. */
export interface FeedObject {
  id: string;
  updatedAt?: string;
  lastActivityAt?: string;
  [field: string]: unknown;
}

/** A consumer that only polls. It stores the cursor and upserts by id, as the docs recommend. */
export class Poller {
  readonly seen = new Map<string, FeedObject>();
  /** The number of objects received, including repeats. */
  served = 0;
  cursor: string | undefined;
  /** The URL of the feed. */
  url: string;
  readonly #key: string;
  readonly #limitOf: () => number;

  constructor(url: string, key: string, limitOf: () => number) {
    this.url = url;
    this.#key = key;
    this.#limitOf = limitOf;
  }

  /** Reads one page. Returns whether there are more. */
  async page(): Promise<boolean> {
    const url = new URL(this.url);
    url.searchParams.set('limit', String(this.#limitOf()));
    if (this.cursor !== undefined) url.searchParams.set('cursor', this.cursor);
    const { status, body } = await request(url.href, this.#key);
    if (status !== 200) throw new Error(`${url.pathname} responded with ${status} ${JSON.stringify(body)}`);
    for (const object of body.data as FeedObject[]) this.seen.set(object.id, object);
    this.served += body.data.length;
    this.cursor = body.nextCursor;
    return body.hasMore;
  }

  /** Reads pages to the end of the feed. */
  async drain(): Promise<void> {
    while (await this.page());
  }
}
