import type { webhooks } from '../generated/api.ts';

/** The body of a delivery of each event type. */
export type KnownEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** The body of a delivery. Its `data` depends on its `type`. */
export interface WebhookEvent {
  /** Identifies the event: the same in every attempt and for every endpoint. */
  id: string;
  /** New types may appear at any time. Ignore unknown types. */
  type: string;
  apiVersion: string;
  createdAt: string;
  /** The id of the workspace. */
  companyId: number;
  data: unknown;
}

/**
 * Whether an event has a given type. Narrows the type of its `data`:
 * `if (isEvent(event, 'engagement.recorded')) console.log(event.data.actor)`.
 */
export function isEvent<Type extends KnownEvent['type']>(
  event: WebhookEvent,
  type: Type,
): event is WebhookEvent & Extract<KnownEvent, { type: Type }> {
  return event.type === type;
}
