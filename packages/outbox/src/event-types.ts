/** The version of the contract, as in every envelope and in the status response. */
export const API_VERSION = '2026-09-01';

/** Every event type. `integration.ping` is only sent on request. */
export const EVENT_TYPES = [
  'engagement.recorded',
  'call.summary.created',
  'decision_room.updated',
  'decision_room.esign.updated',
  'decision_room.created',
  'call.recorded',
  'engagement.view.recorded',
  'person.erased',
  'room.erased',
  'webhook.endpoint.disabled',
  'integration.ping',
] as const;

/** The name of an event type. */
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * The type of a test event. The admin sees its outcome at once, so it is never retried, and its failure counts neither for the
 * endpoint nor as a dead letter.
 */
export const PING = 'integration.ping' satisfies EventType;
