import { isDeepStrictEqual } from 'node:util';
import { type NewEvent, type Subscriber, subscribersTo } from '@deal-signals/outbox/record-events';
import { findCalls } from '@deal-signals/serializers/calls/call';
import { EVENTS, type ObjectKind } from '@deal-signals/serializers/events/events';
import {
  showCall,
  showEsignDocument,
  type ShownObject,
  showRoom,
} from '@deal-signals/serializers/events/shown-objects';
import { findRooms, type ListedRoom } from '@deal-signals/serializers/rooms/room';
import type { Announcement, CaptureTransaction, Effect } from './capture-transaction.ts';
import { ESIGN_DOCUMENTS } from '../writers/esign.ts';

/** An event, and the line of the record that has caused it. */
export interface CausedEvent {
  line: number;
  event: NewEvent;
}

/**
 * Builds the events of objects that changed: one of a type for each object, however often it changed, and with the object as the
 * transaction leaves it. So for one object a position in its feed has one content, in the feed and in every event, and consumers
 * may replace what they hold unless it is newer.
 *
 * @param effects those that last, in the order of their lines. An event has the line of the last of them.
 * @param subscribers objects without a subscriber are not read.
 */
export async function announcedEvents(
  capture: CaptureTransaction,
  effects: readonly Effect[],
  subscribers: readonly Subscriber[],
): Promise<CausedEvent[]> {
  const lineOf = new Map<string, { line: number; announced: Announcement }>();
  for (const { line, identity, announces } of effects) {
    if (announces === undefined || subscribersTo(announces.type, subscribers).length === 0) continue;
    const { ifChanged } = announces;
    if (ifChanged !== undefined && !hasChanged(capture, identity, ifChanged)) continue;
    lineOf.set(JSON.stringify(announces), { line, announced: announces });
  }
  const all = [...lineOf.values()];
  const idsOf = (kind: ObjectKind) => [
    ...new Set(all.flatMap(({ announced: { type, id } }) => (EVENTS[type].object === kind ? [id] : []))),
  ];
  const { tx, companyId, at } = capture;
  const [roomIds, callIds, esignIds] = [idsOf('room'), idsOf('call'), idsOf('esign')];
  // Their sort timestamps are set, and engagement is written, in the statement that ends the transaction.
  const shown = new Map<string, ShownObject>();
  for (const row of roomIds.length === 0 ? [] : await findRooms(tx, companyId, { ids: roomIds })) {
    const lastEngagementAt = latestEngagement(capture, row);
    shown.set(`room ${row.id}`, showRoom({ ...row, lastActivityAt: at, lastEngagementAt }));
  }
  for (const row of callIds.length === 0 ? [] : await findCalls(tx, companyId, { ids: callIds })) {
    shown.set(`call ${row.id}`, showCall({ ...row, updatedAt: at }));
  }
  const esignKeys = esignIds.map((id) => ({ id }));
  for (const row of esignIds.length === 0 ? [] : await ESIGN_DOCUMENTS.find(tx, companyId, esignKeys)) {
    shown.set(`esign ${row.id}`, showEsignDocument({ ...row, updatedAt: at }));
  }
  return all.map(({ line, announced: { type, id } }) => {
    const object = shown.get(`${EVENTS[type].object} ${id}`);
    if (object === undefined) throw new Error(`${type} is announced, and its object is not read`);
    return { line, event: { type, objectId: id, position: at, ...object } };
  });
}

/** When the latest event or view of a room happened, with those that the transaction is about to write. */
function latestEngagement(
  { engagement }: CaptureTransaction,
  { id, lastEngagementAt }: ListedRoom,
): Date | null {
  const times = [
    ...engagement.events.filter((event) => event.buyerSpaceId === id).map((event) => event.occurredAt),
    ...engagement.views.filter((view) => view.buyerSpaceId === id).map((view) => view.endedAt),
  ];
  return times.reduce((latest, at) => (latest === null || at > latest ? at : latest), lastEngagementAt);
}

/** Whether the transaction leaves one of these columns of a row other than it found it. */
function hasChanged({ changes }: CaptureTransaction, identity: string, columns: readonly string[]): boolean {
  const { before, after } = changes.get(identity) as Record<'before' | 'after', Record<string, unknown>>;
  return columns.some((column) => !isDeepStrictEqual(before[column], after[column]));
}
