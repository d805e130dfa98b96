import { createHash } from 'node:crypto';
import type { FeedRecords } from '../../feeds/feeds.ts';

/**
 * Remembers what is known of calls and rooms, and tells which changes of them cause a webhook event. The feeds show the
 * newest state alone, so two changes between two polls are one.
 */
export class Changes {
  /** Digests, because the summaries of a large workspace would fill the memory. */
  readonly #summaries = new Map<string, string>();
  readonly #rooms = new Map<string, string>();

  /** Notes a call. Returns whether its summary was generated or regenerated since it was last noted. */
  noteCall({ id, summary }: FeedRecords['calls']): boolean {
    if (summary === null) return false;
    const digest = createHash('sha256').update(JSON.stringify(summary)).digest('base64');
    const isNew = this.#summaries.get(id) !== digest;
    this.#summaries.set(id, digest);
    return isNew;
  }

  /** Notes a room. Returns whether its status, value, close date or contact changed since it was last noted. */
  noteRoom(room: FeedRecords['decision-rooms']): boolean {
    const { id, status, dealValueCents, expectedCloseDate, primaryContactEmail } = room;
    const text = JSON.stringify([status, dealValueCents, expectedCloseDate, primaryContactEmail]);
    const known = this.#rooms.get(id);
    this.#rooms.set(id, text);
    // A new room causes no event.
    return known !== undefined && known !== text;
  }
}
