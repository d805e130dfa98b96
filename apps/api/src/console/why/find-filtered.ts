import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import type { EventType } from '@deal-signals/outbox/event-types';
import {
  createFilterBudget,
  type Filter,
  matchesFilter,
  UNFILTERED_TYPES,
} from '@deal-signals/outbox/filter/filter';
import type { Occasion } from '@deal-signals/serializers/console/why/occasions';
import { findNewestObjects } from '@deal-signals/serializers/events/shown-objects';

/** An occasion, with the event that was recorded for it, if any. */
export type Happening = Occasion & { eventId: string | null };

/** Maximum happenings, the newest ones, that are compared with filters. */
const MAX_COMPARED = 100;
/** Objects that are read together. Each may have half a megabyte. */
const CHUNK = 10;

/** The results of comparing happenings with filters. */
export interface Filtered {
  /** The endpoints with a filter that the object does not match. */
  endpointIds: ReadonlyMap<Happening, ReadonlySet<number>>;
  /** The happenings that were not compared, because there were too many. */
  leftOut: ReadonlySet<Happening>;
}

/**
 * Compares happenings with the present filters of endpoints: the body of the event if there is one, otherwise the object as it is now.
 * Contracts without an event are not compared, because their rows do not show which change it was.
 *
 * @param roomId the room that the question is about; null if it is about something else.
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
  const budget = createFilterBudget();
  let compared = 0;
  while (compared < Math.min(newest.length, MAX_COMPARED) && budget.steps > 0) {
    const chunk = newest.slice(compared, compared + CHUNK);
    const objects = await findObjects(db, companyId, chunk, roomId);
    for (const happening of chunk) {
      const data = objects.get(keyOf(happening));
      if (data === undefined) continue;
      const excluding = filters.filter(({ filter }) => !matchesFilter(filter, data, budget));
      endpointIds.set(happening, new Set(excluding.map(({ id }) => id)));
    }
    compared += chunk.length;
  }
  return { endpointIds, leftOut: new Set(newest.slice(compared)) };
}

/** Reads the data of happenings, by `keyOf`. */
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
