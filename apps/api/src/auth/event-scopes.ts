import type { EventType } from '@deal-signals/outbox/event-types';
import { EVENTS } from '@deal-signals/serializers/events/events';
import { ApiError } from '../http/errors.ts';
import { allowsOne } from './scopes.ts';

/**
 * Checks that a key may read the payload of an event.
 *
 * @throws ApiError PERMISSION_DENIED.
 */
export function requireScopeOfEvent(scopes: readonly string[], event: EventType): void {
  const required = EVENTS[event].scopes;
  if (allowsOne(scopes, required)) return;
  throw new ApiError('PERMISSION_DENIED', `the API key needs the scope ${required.join(' or ')}`);
}

/**
 * Checks that a key may read the payloads of the events that it subscribes to.
 *
 * @throws ApiError PERMISSION_DENIED.
 */
export function requireScopesOfEvents(scopes: readonly string[], events: readonly (EventType | '*')[]): void {
  for (const event of events) {
    const required = event === '*' ? (['read'] as const) : EVENTS[event].scopes;
    if (!allowsOne(scopes, required)) {
      throw new ApiError(
        'PERMISSION_DENIED',
        `to subscribe to ${event}, the API key needs the scope ${required.join(' or ')}`,
      );
    }
  }
}
