import { consoleApi } from '../api/clients.ts';
import { objectOf } from '../text/event-types.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

/** The current state of an event's object in the API. */
export interface ObjectNow {
  /** The part of the object that corresponds to the event; undefined while it is loaded; null if it was deleted. */
  now: unknown;
  /** The part of the payload to compare it with. */
  sent: unknown;
  error: unknown;
  /** Whether objects of this kind can change after their event. */
  canChange: boolean;
}

/** Loads the object of an event in its current state, by the operation whose response the event contains. */
export function useObjectNow({ eventType, buyerSpaceId, callId, payload }: DeliveryDetail): ObjectNow {
  const { object, objectField } = objectOf(eventType);
  const isRoom = object === 'room';
  const isContract = object === 'esign';
  const isCall = object === 'call';
  const room = consoleApi.useQuery(
    'get',
    '/decision-rooms/{id}',
    { params: { path: { id: buyerSpaceId ?? '' } } },
    { enabled: isRoom && buyerSpaceId !== null, retry: false },
  );
  const metrics = consoleApi.useQuery(
    'get',
    '/decision-rooms/{id}/metrics',
    { params: { path: { id: buyerSpaceId ?? '' } } },
    { enabled: isContract && buyerSpaceId !== null, retry: false },
  );
  const call = consoleApi.useQuery(
    'get',
    '/calls/{id}',
    { params: { path: { id: callId ?? '' } } },
    { enabled: isCall && callId !== null, retry: false },
  );
  const sent = objectField === null ? payload.data : (payload.data as Record<string, unknown>)[objectField];
  if (isRoom) return { sent, now: room.data?.data, error: room.error, canChange: true };
  if (isCall) return { sent, now: call.data?.data, error: call.error, canChange: true };
  if (isContract) {
    const { id: sentId } = (sent ?? {}) as { id?: string };
    const found = metrics.data?.data.esign.documents.find(({ id }) => id === sentId);
    const now = metrics.data === undefined ? undefined : (found ?? null);
    return { sent, now, error: metrics.error, canChange: true };
  }
  return { sent, now: undefined, error: null, canChange: false };
}
