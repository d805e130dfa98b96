import type { components } from '../generated/api.ts';

type Schemas = components['schemas'];

/** The body of a delivery of each event type. */
export type KnownEvent =
  | Schemas['EngagementRecordedEvent']
  | Schemas['CallSummaryCreatedEvent']
  | Schemas['DecisionRoomUpdatedEvent']
  | Schemas['DecisionRoomEsignUpdatedEvent']
  | Schemas['DecisionRoomCreatedEvent']
  | Schemas['CallRecordedEvent']
  | Schemas['EngagementViewRecordedEvent']
  | Schemas['PersonErasedEvent']
  | Schemas['RoomErasedEvent']
  | Schemas['WebhookEndpointDisabledEvent']
  | Schemas['IntegrationPingEvent'];

/** The body of a delivery. Its `data` depends on its `type`. */
export interface WebhookEvent {
  /** Identifies the event: the same in every attempt and for every endpoint. */
  id: string;
  /** New types may appear at any time. Ignore those that you do not know. */
  type: string;
  apiVersion: string;
  createdAt: string;
  /** The id of the workspace. */
  companyId: number;
  data: unknown;
}

/**
 * Whether an event is of one type, whose `data` TypeScript then knows:
 * `if (isEvent(event, 'engagement.recorded')) console.log(event.data.actor)`.
 */
export function isEvent<Type extends KnownEvent['type']>(
  event: WebhookEvent,
  type: Type,
): event is WebhookEvent & Extract<KnownEvent, { type: Type }> {
  return event.type === type;
}
