import { consoleApi } from '../api/clients.ts';
import { objectOf } from '../text/event-types.ts';
import type { DeliveryDetail } from './delivery-detail.ts';

/** What the API shows of the object that an event is about. */
export interface ObjectNow {
  /** The same part of the object that the event has; undefined while it is read; null if it is gone. */
  now: unknown;
  /** The part of the payload to compare it with. */
  sent: unknown;
  error: unknown;
  /** Whether objects of this kind change after their event. */
  canChange: boolean;
}

/** Reads the object of an event as it is now, by the operation whose object the event has as its data. */
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
