import type { EventType } from '@deal-signals/outbox/event-types';
import { ApiError } from '../http/errors.ts';

/** What a key may do: read everything, read the feeds of one kind, look after webhook endpoints of its own. */
export const SCOPES = [
  'read',
  'read:calls',
  'read:engagement',
  'read:rooms',
  'read:deliveries',
  'webhooks',
] as const;

/** The scope that a route requires. `read` contains all of them except `webhooks`, which is the only one to change anything. */
export type Scope = Exclude<(typeof SCOPES)[number], 'read'>;

/** What a key must be allowed to read before it may have the events of a type sent. A test event says nothing. */
const SCOPE_OF_EVENTS: Record<EventType | '*', (typeof SCOPES)[number] | null> = {
  '*': 'read',
  'call.recorded': 'read:calls',
  'call.summary.created': 'read:calls',
  'decision_room.created': 'read:rooms',
  'decision_room.updated': 'read:rooms',
  'decision_room.esign.updated': 'read:rooms',
  'engagement.recorded': 'read:engagement',
  'engagement.view.recorded': 'read:engagement',
  // Whoever keeps any data has to erase in it.
  'person.erased': null,
  'room.erased': null,
  'webhook.endpoint.disabled': 'read:deliveries',
  'integration.ping': null,
};

/** Whether a key may use what requires a scope. */
export function allowsScope(scopes: readonly string[], required: (typeof SCOPES)[number]): boolean {
  return scopes.includes(required) || (required !== 'webhooks' && scopes.includes('read'));
}

/**
 * Checks that a key may use a route.
 *
 * @param required null for a route that every key may use.
 * @throws ApiError PERMISSION_DENIED.
 */
export function requireScope(scopes: readonly string[], required: Scope | null): void {
  if (required === null || allowsScope(scopes, required)) return;
  throw new ApiError('PERMISSION_DENIED', `the API key needs the scope ${required}`);
}

/**
 * Checks that a key may read what the events that it subscribes to would tell.
 *
 * @throws ApiError PERMISSION_DENIED.
 */
export function requireScopesOfEvents(scopes: readonly string[], events: readonly (EventType | '*')[]): void {
  for (const event of events) {
    const required = SCOPE_OF_EVENTS[event];
    if (required !== null && !allowsScope(scopes, required)) {
      throw new ApiError(
        'PERMISSION_DENIED',
        `to subscribe to ${event}, the API key needs the scope ${required}`,
      );
    }
  }
}
