import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import type { Prisma } from '@deal-signals/db/generated/client';
import { COMPANY, feedId, second, uuid } from './ids.ts';

// Rows written straight into their tables, for tests that state exactly what is stored and when it changed. What the
// product makes of captured records is in `captured.ts`.

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
  const { id } = await db.room.create({
    data: {
      companyId,
      id: uuid(n),
      name: `Room ${n}`,
      createdAt: second(0),
      lastActivityAt: second(n),
      ownerId: companyId,
      ...fields,
    },
  });
  return id;
}

/** A call, last changed `n` seconds into the year; returns its id. */
export async function addCall(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.CallUncheckedCreateInput> = {},
): Promise<string> {
  const { id } = await db.call.create({
    data: {
      companyId,
      id: uuid(n),
      kind: 'demo',
      status: 'completed',
      occurredAt: second(0),
      updatedAt: second(n),
      ownerId: companyId,
      ...fields,
    },
  });
  return id;
}

/** A share link of a room, last changed `n` seconds into the year; returns its id. */
export async function addLink(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.DistributionUncheckedCreateInput> & { roomId: string },
): Promise<string> {
  const { id } = await db.distribution.create({
    data: { companyId, id: uuid(n), updatedAt: second(n), ...fields },
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
  const { id } = await db.engagementEvent.create({
    data: {
      companyId,
      id: feedId(),
      source: 'event',
      key: `event ${n}`,
      type: 'room_visit',
      occurredAt: second(n),
      ...fields,
    },
  });
  return id;
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
  const { id } = await db.engagementView.create({
    data: {
      companyId,
      id: feedId(),
      key: `view ${n}`,
      kind: 'trailer',
      startedAt: second(n),
      endedAt: second(n + 1),
      watchSeconds: 1,
      segments: [[0, 1]],
      ...fields,
    },
  });
  return id;
}
