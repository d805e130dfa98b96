import { createHash } from 'node:crypto';
import type { KnownEvent } from '../../webhooks/events.ts';
import type { FeedRecords } from '../../feeds/feeds.ts';

/** Whether the feeds tell of each event type, so that `listen` sends it. */
const IS_FORWARDED = {
  'engagement.recorded': true,
  'engagement.view.recorded': true,
  'call.recorded': true,
  'call.summary.created': true,
  'decision_room.created': true,
  'decision_room.updated': true,
  'decision_room.esign.updated': true,
  'person.erased': false,
  'room.erased': false,
  // Endpoints are in no feed.
  'webhook.endpoint.disabled': false,
  'integration.ping': false,
} as const satisfies Record<KnownEvent['type'], boolean>;

type EventType = {
  [Type in KnownEvent['type']]: (typeof IS_FORWARDED)[Type] extends true ? Type : never;
}[KnownEvent['type']];

/** The event types that `listen` sends. */
export const FORWARDED = Object.entries(IS_FORWARDED).flatMap(([type, is]) => (is ? [type] : []));

/**
 * Remembers what is known of calls, rooms and contracts, and says which webhook events their changes cause. The feeds show
 * the newest state alone, so several changes between two polls are one.
 */
export class Changes {
  /** Digests, because the summaries of a large workspace would fill the memory; null for a call that has had no summary. */
  readonly #calls = new Map<string, string | null>();
  readonly #rooms = new Map<string, string>();
  readonly #contracts = new Map<string, string>();

  /** Notes a call. Returns the events of what happened to it since it was last noted: it is new, or its summary is. */
  noteCall({ id, summary }: FeedRecords['calls']): EventType[] {
    const known = this.#calls.get(id);
    const digest = summary === null ? (known ?? null) : digestOf(summary);
    this.#calls.set(id, digest);
    const events: EventType[] = known === undefined ? ['call.recorded'] : [];
    return digest === null || digest === known ? events : [...events, 'call.summary.created'];
  }

  /**
   * Notes a room. Returns the events of what happened to it since it was last noted: it is new, or its status, value, close
   * date or contact has changed.
   */
  noteRoom(room: FeedRecords['decision-rooms']): EventType[] {
    const { id, status, dealValueCents, expectedCloseDate, primaryContactEmail } = room;
    const text = JSON.stringify([status, dealValueCents, expectedCloseDate, primaryContactEmail]);
    const known = this.#rooms.get(id);
    this.#rooms.set(id, text);
    if (known === undefined) return ['decision_room.created'];
    return known === text ? [] : ['decision_room.updated'];
  }

  /** Notes a contract. Returns the event if it is new, or its status changed since it was last noted. */
  noteContract({ id, status }: FeedRecords['esign-documents']): EventType[] {
    const known = this.#contracts.get(id);
    this.#contracts.set(id, status);
    return known === status ? [] : ['decision_room.esign.updated'];
  }
}

function digestOf(summary: object): string {
  return createHash('sha256').update(JSON.stringify(summary)).digest('base64');
}
