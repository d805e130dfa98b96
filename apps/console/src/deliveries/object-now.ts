import { consoleApi } from '../api/clients.ts';
import { eventObject } from '../text/event-types.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

/** The current state of the object that an event is about. */
export interface ObjectNow {
  /** The part of the object that the event contains; undefined while loading; null if it is gone. */
  now: unknown;
  /** The part of the payload to compare it with. */
  sent: unknown;
  error: unknown;
  /** Whether objects of this kind change after their event. */
  canChange: boolean;
}

/** Reads the current object of an event, with the operation that returns the data of the event. */
export function useObjectNow({ eventType, buyerSpaceId, callId, payload }: DeliveryDetail): ObjectNow {
  const { object, objectField } = eventObject(eventType);
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
