import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import type { EventType } from '@deal-signals/outbox/event-types';
import { type Filter, matchesFilter, UNFILTERED_TYPES } from '@deal-signals/outbox/filter/filter';
import type { Occasion } from '@deal-signals/serializers/console/why/occasions';
import { findNewestObjects } from '@deal-signals/serializers/events/newest-objects';

/** Something that happened, and the event that was written of it, if any was. */
export type Happening = Occasion & { eventId: string | null };

/** How many of the newest happenings are compared with filters. */
const MAX_COMPARED = 100;
/** How long they are compared: 100 endpoints may have filters and objects of the largest size. */
const MAX_MS = 1_000;
/** How many objects are read at once; each may have half a megabyte. */
const CHUNK = 10;

/** What filters say of what happened. */
export interface Filtered {
  /** The endpoints whose present filter the object does not match, as it is stored now. */
  endpointIds: ReadonlyMap<Happening, ReadonlySet<number>>;
  /** What was not compared, because it was too much. */
  leftOut: ReadonlySet<Happening>;
}

/**
 * Compares what happened with the present filters of endpoints: the body of the event, if one was written, otherwise the object as it is
 * now. Contracts without an event are not compared: their rows do not tell which of their changes it was.
 *
 * @param roomId of the room that the question is about, if it is about one.
 */
export async function findFiltered(
  db: Database,
  companyId: number,
  happenings: readonly Happening[],
  endpoints: readonly { id: number; filter: Filter | null }[],
  roomId: string | null,
): Promise<Filtered> {
  const endpointIds = new Map<Happening, ReadonlySet<number>>();
  const filters = endpoints.flatMap(({ id, filter }) => (filter === null ? [] : [{ id, filter }]));
  if (filters.length === 0) return { endpointIds, leftOut: new Set() };
  const newest = happenings
    .filter(({ eventType }) => !UNFILTERED_TYPES.has(eventType as EventType))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const deadline = performance.now() + MAX_MS;
  let compared = 0;
  while (compared < Math.min(newest.length, MAX_COMPARED) && performance.now() < deadline) {
    const chunk = newest.slice(compared, compared + CHUNK);
    const objects = await findObjects(db, companyId, chunk, roomId);
    for (const happening of chunk) {
      const data = objects.get(keyOf(happening));
      if (data === undefined) continue;
      const excluding = filters.filter(({ filter }) => !matchesFilter(filter, data));
      endpointIds.set(happening, new Set(excluding.map(({ id }) => id)));
    }
    compared += chunk.length;
  }
  return { endpointIds, leftOut: new Set(newest.slice(compared)) };
}

/** Reads `data` of what happened, by `keyOf`. */
async function findObjects(
  db: Database,
  companyId: number,
  happenings: readonly Happening[],
  roomId: string | null,
): Promise<Map<string, unknown>> {
  const eventIds = happenings.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
  const bodies = await db.query<{ id: string; body: string }>(Prisma.sql`
    SELECT id::text, body FROM webhook_events WHERE company_id = ${companyId} AND id = ANY (${eventIds}::uuid[])`);
  const objects = new Map<string, unknown>(
    bodies.map(({ id, body }) => [id, (JSON.parse(body) as { data: unknown }).data]),
  );
  const unwritten = happenings.filter(({ eventId }) => eventId === null);
  for (const type of new Set(unwritten.map(({ eventType }) => eventType as EventType))) {
    const ofType = unwritten.filter(({ eventType }) => eventType === type);
    // The key of a change of a room is its time.
    const isChange = type === 'decision_room.updated';
    if (type === 'decision_room.esign.updated' || (isChange && roomId === null)) continue;
    const ids = isChange ? [roomId!] : ofType.map(({ key }) => key);
    for (const { id, data } of await findNewestObjects(db, companyId, type, { ids, limit: ids.length })) {
      objects.set(`${type} ${id}`, data);
      if (isChange) for (const { key } of ofType) objects.set(`${type} ${key}`, data);
    }
  }
  return objects;
}

function keyOf({ eventId, eventType, key }: Happening): string {
  return eventId ?? `${eventType} ${key}`;
}
