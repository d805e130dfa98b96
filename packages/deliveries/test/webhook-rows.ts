import { randomUUID } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import type { WebhookDelivery, WebhookEndpoint } from '@deal-signals/db/generated/client';
import type { Attempt } from '../src/attempts/begin-attempt.ts';

/** The workspace of these tests. */
export const COMPANY = 1;

/** Makes the workspace and an endpoint in it. */
export async function createEndpoint(db: Database, patch: Partial<WebhookEndpoint> = {}): Promise<number> {
  await db.company.upsert({
    where: { id: COMPANY },
    create: { id: COMPANY, name: 'Acme', feedClock: { create: { at: new Date(0) } } },
    update: {},
  });
  const { id } = await db.webhookEndpoint.create({
    data: {
      companyId: COMPANY,
      url: 'https://receiver.example/',
      events: ['*'],
      secretCiphertext: Buffer.of(0),
      ...patch,
    },
  });
  return id;
}

/** Makes a delivery of an event of its own, ready to be claimed. */
export async function createDelivery(
  db: Database,
  endpointId: number,
  patch: Partial<WebhookDelivery> = {},
): Promise<bigint> {
  const now = new Date();
  const event = { companyId: COMPANY, id: randomUUID(), type: 'engagement.recorded', createdAt: now };
  await db.webhookEvent.create({ data: { ...event, body: '{}' } });
  const { id } = await db.webhookDelivery.create({
    data: {
      companyId: COMPANY,
      endpointId,
      eventId: event.id,
      eventType: event.type,
      createdAt: now,
      nextAttemptAt: now,
      ...patch,
    },
  });
  return id;
}

/** Makes a delivery whose attempt is under way. */
export async function createClaim(
  db: Database,
  endpointId: number,
  patch: Partial<WebhookDelivery> = {},
): Promise<Attempt> {
  const claimToken = randomUUID();
  const leaseExpiresAt = new Date(Date.now() + 60_000);
  const deliveryId = await createDelivery(db, endpointId, {
    ready: false,
    claimToken,
    leaseExpiresAt,
    ...patch,
  });
  const startedAt = new Date();
  return {
    companyId: COMPANY,
    deliveryId,
    endpointId,
    eventType: patch.eventType ?? 'engagement.recorded',
    claimToken,
    startedAt,
    attemptInSchedule: 1 + (patch.attempts ?? 0),
    attemptNumber: 1,
    eventId: (await db.webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId } })).eventId,
    body: '{}',
    url: 'https://receiver.example/',
    secretCiphertext: Buffer.of(0),
  };
}

/** Reads a delivery with its attempts, oldest first. */
export function readDelivery(db: Database, id: bigint) {
  return db.webhookDelivery.findUniqueOrThrow({
    where: { id },
    include: { attemptLog: { orderBy: { number: 'asc' } } },
  });
}

/** Reads an endpoint. */
export function readEndpoint(db: Database, id: number) {
  return db.webhookEndpoint.findUniqueOrThrow({ where: { companyId_id: { companyId: COMPANY, id } } });
}
