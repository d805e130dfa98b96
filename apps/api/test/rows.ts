import { randomUUID } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import type { Prisma, WebhookEndpoint } from '@deal-signals/db/generated/client';
import { envelope } from '@deal-signals/outbox/record-events';
import { mintApiKey } from '../src/auth/mint-api-key.ts';

/** A UUID that a reader can recognise. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A moment that a reader can recognise: `n` seconds into the year. */
export const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, n));

/** A workspace with one seller, whose id is the workspace's. */
export async function addCompany(db: Database, id: number, apiEnabled = true): Promise<void> {
  await db.company.create({ data: { id, name: `Company ${id}`, apiEnabled } });
  await db.feedClock.create({ data: { companyId: id, at: second(0) } });
  await db.user.create({ data: { companyId: id, id, name: 'Sam Seller', email: 'sam@example.com' } });
}

/** Mints a key of a workspace; gives the key itself. */
export async function addKey(
  db: Database,
  companyId: number,
  fields: Partial<Prisma.ApiKeyUncheckedCreateInput> = {},
): Promise<string> {
  const { key, prefix, hash } = mintApiKey();
  await db.apiKey.create({
    data: { companyId, name: 'test', prefix, keyHash: hash, scopes: ['read'], ...fields },
  });
  return key;
}

/** A room, last active `n` seconds into the year. */
export async function addRoom(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.RoomUncheckedCreateInput> = {},
): Promise<string> {
  const id = uuid(n);
  await db.room.create({
    data: {
      companyId,
      id,
      name: `Room ${n}`,
      createdAt: second(0),
      lastActivityAt: second(n),
      ownerId: companyId,
      ...fields,
    },
  });
  return id;
}

/** A call, last changed `n` seconds into the year. */
export async function addCall(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.CallUncheckedCreateInput> = {},
): Promise<string> {
  const id = uuid(n);
  await db.call.create({
    data: {
      companyId,
      id,
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

/** An engagement event in a room, `n` seconds into the year; gives its id. */
export async function addEvent(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.EngagementEventUncheckedCreateInput> & { buyerSpaceId: string },
): Promise<string> {
  const { id } = await db.engagementEvent.create({
    data: {
      companyId,
      source: 'event',
      key: `event ${n}`,
      type: 'room_visit',
      occurredAt: second(n),
      ...fields,
    },
  });
  return String(id);
}

/** A view over a share link, begun `n` seconds into the year; gives its id. */
export async function addView(
  db: Database,
  companyId: number,
  n: number,
  fields: Partial<Prisma.EngagementViewUncheckedCreateInput> & {
    buyerSpaceId: string;
    distributionId: string;
  },
): Promise<string> {
  const { id } = await db.engagementView.create({
    data: {
      companyId,
      key: `view ${n}`,
      kind: 'trailer',
      startedAt: second(n),
      endedAt: second(n + 1),
      watchSeconds: 1,
      segments: [[0, 1]],
      ...fields,
    },
  });
  return String(id);
}

/** An endpoint of workspace 1 whose URL leads nowhere. */
export function addEndpoint(
  db: Database,
  fields: Partial<Prisma.WebhookEndpointUncheckedCreateInput> = {},
): Promise<WebhookEndpoint> {
  return db.webhookEndpoint.create({
    data: {
      companyId: 1,
      url: 'https://127.0.0.1:1/',
      events: ['*'],
      secretCiphertext: Buffer.from('-'),
      ...fields,
    },
  });
}

/** A dead delivery to an endpoint of an event of its own; gives its id. */
export async function addDelivery(
  db: Database,
  { companyId, id: endpointId }: Pick<WebhookEndpoint, 'companyId' | 'id'>,
  fields: Partial<Prisma.WebhookDeliveryUncheckedCreateInput> = {},
): Promise<string> {
  const event = { companyId, id: randomUUID(), type: 'engagement.recorded', createdAt: second(1) } as const;
  const body = envelope(event.id, 'engagement.recorded', event.createdAt, companyId, { n: 1 });
  await db.webhookEvent.create({ data: { ...event, body } });
  const { id } = await db.webhookDelivery.create({
    data: {
      companyId,
      endpointId,
      eventId: event.id,
      eventType: event.type,
      createdAt: event.createdAt,
      status: 'dead',
      attempts: 8,
      lastStatusCode: 500,
      lastError: 'receiver answered 500',
      ready: false,
      ...fields,
    },
  });
  return String(id);
}
