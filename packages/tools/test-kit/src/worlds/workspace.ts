import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import type { Prisma } from '@deal-signals/db/generated/client';
import { storedCall } from '@deal-signals/serializers/calls/call';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { jsonOf } from '@deal-signals/serializers/object-text';
import { recipientIdentity } from '@deal-signals/serializers/rooms/identity';
import { storedRoom } from '@deal-signals/serializers/rooms/room';
import { COMPANY, feedId, second, uuid } from './ids.ts';

// Rows written straight into their tables, for tests that state exactly what is stored and when it changed. What the
// product makes of captured records is in `captured.ts`.

/** In place of the text of an object until its row is there, with the columns that it is built from. */
const NO_TEXT_YET = '';

/** A workspace with one seller, whose id is the workspace's. */
export async function addCompany(
  db: Database,
  id = COMPANY,
  fields: Partial<Prisma.CompanyUncheckedCreateInput> = {},
): Promise<void> {
  await db.company.create({ data: { id, name: `Company ${id}`, ...fields } });
  await db.feedClock.create({ data: { companyId: id, at: second(0) } });
  await db.user.create({ data: { companyId: id, id, name: 'Sam Seller', email: 'sam@example.com' } });
}

/**
 * An API key of a workspace; returns the key itself.
 *
 * Its form and its hash are spelled out here and not taken from the API: keys that were handed out must stay valid, so a
 * change to either has to make tests fail.
 */
export async function addKey(
  db: Database,
  companyId = COMPANY,
  fields: Partial<Prisma.ApiKeyUncheckedCreateInput> = {},
): Promise<string> {
  const key = `dsk_live_${randomBytes(32).toString('base64url')}`;
  await db.apiKey.create({
    data: {
      companyId,
      name: 'test',
      prefix: key.slice(0, 13),
      keyHash: createHash('sha256').update(key).digest(),
      scopes: ['read'],
      ...fields,
    },
  });
  return key;
}

/** A room, last active `n` seconds into the year; returns its id. */
export async function addRoom(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.RoomUncheckedCreateInput> = {},
): Promise<string> {
  const row = await db.room.create({
    data: {
      companyId,
      id: uuid(n),
      name: `Room ${n}`,
      createdAt: second(0),
      lastActivityAt: second(n),
      ownerId: companyId,
      objectText: NO_TEXT_YET,
      ...fields,
    },
  });
  await db.room.update({
    where: { companyId_id: { companyId, id: row.id } },
    data: { objectText: storedRoom(row) },
  });
  return row.id;
}

/** A call, last changed `n` seconds into the year; returns its id. */
export async function addCall(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.CallUncheckedCreateInput> = {},
): Promise<string> {
  const row = await db.call.create({
    data: {
      companyId,
      id: uuid(n),
      kind: 'demo',
      status: 'completed',
      occurredAt: second(0),
      updatedAt: second(n),
      ownerId: companyId,
      objectText: NO_TEXT_YET,
      ...fields,
    },
  });
  await db.call.update({
    where: { companyId_id: { companyId, id: row.id } },
    data: { objectText: storedCall(row) },
  });
  return row.id;
}

/** A share link of a room, last changed `n` seconds into the year; returns its id. */
export async function addLink(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.DistributionUncheckedCreateInput> & { roomId: string },
): Promise<string> {
  const { id = uuid(n), recipientEmail = null } = fields;
  await db.distribution.create({
    data: { companyId, id, identity: recipientIdentity(id, recipientEmail), updatedAt: second(n), ...fields },
  });
  return id;
}

/** An engagement event in a room, `n` seconds into the year; returns its id. */
export async function addEvent(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.EngagementEventUncheckedCreateInput> & { buyerSpaceId: string },
): Promise<bigint> {
  const { distributionId = null, actorEmail = null } = fields;
  const isAnonymous = distributionId === null && actorEmail === null;
  const row = await db.engagementEvent.create({
    data: {
      companyId,
      identity: isAnonymous ? null : recipientIdentity(distributionId ?? '', actorEmail),
      id: feedId(),
      source: 'event',
      key: `event ${n}`,
      type: 'room_visit',
      occurredAt: second(n),
      objectText: NO_TEXT_YET,
      ...fields,
    },
  });
  await db.engagementEvent.update({
    where: { companyId_id: { companyId, id: row.id } },
    data: { objectText: jsonOf(serializeEngagementEvent(row)) },
  });
  return row.id;
}

/** A view over a share link, begun `n` seconds into the year; returns its id. */
export async function addView(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.EngagementViewUncheckedCreateInput> & {
    buyerSpaceId: string;
    distributionId: string;
  },
): Promise<bigint> {
  const { distributionId, actorEmail = null } = fields;
  const row = await db.engagementView.create({
    data: {
      companyId,
      identity: recipientIdentity(distributionId, actorEmail),
      id: feedId(),
      key: `view ${n}`,
      kind: 'trailer',
      startedAt: second(n),
      endedAt: second(n + 1),
      watchSeconds: 1,
      segments: [[0, 1]],
      objectText: NO_TEXT_YET,
      ...fields,
    },
  });
  await db.engagementView.update({
    where: { companyId_id: { companyId, id: row.id } },
    data: {
      objectText: jsonOf(serializeEngagementView({ ...row, segments: row.segments as unknown as Segment[] })),
    },
  });
  return row.id;
}
