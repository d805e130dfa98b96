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

// Writes rows straight into their tables, for tests that state exactly what is stored and when it changed. `captured.ts` has
// the functions that capture records.

/** The text of an object until its row exists, with the columns that it is built from. */
const NO_TEXT_YET = '';

/** Adds a workspace with one seller, whose id is the workspace's. */
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
 * Adds an API key of a workspace. Returns the key itself.
 * Its format and hash are repeated here instead of imported from the API. Keys that were handed out must stay valid, so a
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

/** Adds a room, last active `n` seconds into the year. Returns its id. */
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

/** Adds a call, last changed `n` seconds into the year. Returns its id. */
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

/** Adds a share link of a room, last changed `n` seconds into the year. Returns its id. */
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

/** Adds an engagement event in a room, `n` seconds into the year. Returns its id. */
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

/** Adds a view over a share link, begun `n` seconds into the year. Returns its id. */
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
