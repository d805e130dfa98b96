import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type About, NOTHING } from '@deal-signals/outbox/about';
import { callText, findCalls } from '../calls/call.ts';
import type { Erasure } from '../erasures/erasure.ts';
import { findEsignDocuments, serializeEsignDocument } from '../rooms/esign-document.ts';
import { findRooms, roomText } from '../rooms/room.ts';
import type { ChangedObject } from './changed-objects.ts';
import type { ObjectKind } from './events.ts';

/** What an event shows of an object, and what it is about. */
export interface ShownObject {
  /** `data` of the event: an object, or its JSON text. */
  data: object | string;
  about: About;
}

/**
 * Reads objects as the feeds show them now. An object that has moved since it was found, or that is not there, is left out: read under
 * the feed clock, none is.
 *
 * @returns what events show of them, by kind and id: see `keyOf`.
 */
export async function readObjects(
  db: Queryable,
  companyId: number,
  objects: readonly ChangedObject[],
): Promise<Map<string, ShownObject>> {
  const shown = new Map<string, ShownObject>();
  const idsOf = (kind: ObjectKind) => objects.filter((object) => object.kind === kind).map(({ id }) => id);
  for (const kind of ['event', 'view'] as const) {
    const ids = idsOf(kind);
    if (ids.length === 0) continue;
    const rows = await db.query<About & { id: string; text: string }>(Prisma.sql`
      SELECT id::text AS id, object_text AS text, buyer_space_id AS "roomId", demo_id AS "callId", identity
      FROM ${kind === 'event' ? Prisma.sql`engagement_events` : Prisma.sql`engagement_views`}
      WHERE company_id = ${companyId} AND id = ANY (${ids}::text[]::bigint[])`);
    for (const { id, text, ...about } of rows) shown.set(keyOf({ kind, id }), { data: text, about });
  }
  const [callIds, roomIds, esignIds, erasureIds] = [
    idsOf('call'),
    idsOf('room'),
    idsOf('esign'),
    idsOf('erasure'),
  ];
  for (const row of callIds.length === 0 ? [] : await findCalls(db, companyId, { ids: callIds })) {
    const about = { roomId: row.roomId, callId: row.id, identity: null };
    shown.set(keyOf({ kind: 'call', id: row.id }), { data: callText(row), about });
  }
  for (const row of roomIds.length === 0 ? [] : await findRooms(db, companyId, { ids: roomIds })) {
    const about = { ...NOTHING, roomId: row.id };
    shown.set(keyOf({ kind: 'room', id: row.id }), { data: roomText(row), about });
  }
  const contracts =
    esignIds.length === 0
      ? []
      : await findEsignDocuments(db, companyId, {
          conditions: [Prisma.sql`id = ANY (${esignIds}::text[])`],
          limit: esignIds.length,
        });
  for (const row of contracts) {
    const data = { buyerSpaceId: row.roomId, document: serializeEsignDocument(row) };
    shown.set(keyOf({ kind: 'esign', id: row.id }), { data, about: { ...NOTHING, roomId: row.roomId } });
  }
  if (erasureIds.length > 0) {
    const rows = await db.query<{ id: string; text: string }>(Prisma.sql`
      SELECT id::text AS id, object_text AS text FROM erasures
      WHERE company_id = ${companyId} AND id = ANY (${erasureIds}::uuid[])`);
    for (const { id, text } of rows) {
      const { buyerSpaceId: roomId } = JSON.parse(text) as Erasure;
      shown.set(keyOf({ kind: 'erasure', id }), { data: text, about: { ...NOTHING, roomId } });
    }
  }
  return shown;
}

/** What identifies an object among those of all kinds. */
export function keyOf({ kind, id }: Pick<ChangedObject, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
