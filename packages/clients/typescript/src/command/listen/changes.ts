import { createHash } from 'node:crypto';
import type { KnownEvent } from '../../webhooks/events.ts';
import type { FeedRecords } from '../../feeds/feeds.ts';

/** Whether the feeds show the events of each type, so that `listen` can send them. */
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
  // Endpoints are not in any feed.
  'webhook.endpoint.disabled': false,
  'integration.ping': false,
} as const satisfies Record<KnownEvent['type'], boolean>;

type EventType = {
  [Type in KnownEvent['type']]: (typeof IS_FORWARDED)[Type] extends true ? Type : never;
}[KnownEvent['type']];

/** The event types that `listen` sends. */
export const FORWARDED = Object.entries(IS_FORWARDED).flatMap(([type, is]) => (is ? [type] : []));

/**
 * Remembers the state of calls, rooms and contracts, and determines which webhook events their changes cause. The feeds only
 * return the latest state, so several changes between two polls count as one.
 */
export class Changes {
  /**
   * Digests, because the summaries of a large workspace would use too much memory; null for a call that never had a summary.
   */
  readonly #calls = new Map<string, string | null>();
  readonly #rooms = new Map<string, string>();
  readonly #contracts = new Map<string, string>();

  /** Records the state of a call. Returns the events since it was last recorded: the call is new, or its summary is. */
  observeCall({ id, summary }: FeedRecords['calls']): EventType[] {
    const known = this.#calls.get(id);
    const digest = summary === null ? (known ?? null) : createDigest(summary);
    this.#calls.set(id, digest);
    const events: EventType[] = known === undefined ? ['call.recorded'] : [];
    return digest === null || digest === known ? events : [...events, 'call.summary.created'];
  }

  /**
   * Records the state of a room. Returns the events since it was last recorded: the room is new, or its status, value, close
   * date or contact has changed.
   */
  observeRoom(room: FeedRecords['decision-rooms']): EventType[] {
    const { id, status, dealValueCents, expectedCloseDate, primaryContactEmail } = room;
    const text = JSON.stringify([status, dealValueCents, expectedCloseDate, primaryContactEmail]);
    const known = this.#rooms.get(id);
    this.#rooms.set(id, text);
    if (known === undefined) return ['decision_room.created'];
    return known === text ? [] : ['decision_room.updated'];
  }

  /** Records the state of a contract. Returns the event if it is new, or its status has changed since it was last recorded. */
  observeContract({ id, status }: FeedRecords['esign-documents']): EventType[] {
    const known = this.#contracts.get(id);
    this.#contracts.set(id, status);
    return known === status ? [] : ['decision_room.esign.updated'];
  }
}

function createDigest(summary: object): string {
  return createHash('sha256').update(JSON.stringify(summary)).digest('base64');
}
