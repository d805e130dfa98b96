import { randomUUID } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import type { WebhookDelivery, WebhookEndpoint } from '@deal-signals/db/generated/client';
import { TEST_SECRETS } from '@deal-signals/test-kit/processes';
import { envelope } from '@deal-signals/outbox/record-events';
import { encryptSigningSecret, secretsKey } from '@deal-signals/sending/signing-secret';

/** The workspace of these tests. */
export const COMPANY = 1;

/** What the endpoints of these tests sign with. */
export const SECRET = 'whsec_4Zq0G6mMZm3cXoKbnQvJ8yQ0aWn1tT5sD2rL7uEhVxA';

/** Makes the workspace and an endpoint in it. */
export async function createEndpoint(
  db: Database,
  url: string,
  patch: Partial<WebhookEndpoint> = {},
): Promise<number> {
  await db.company.upsert({
    where: { id: COMPANY },
    create: { id: COMPANY, name: 'Acme', feedClock: { create: { at: new Date(0) } } },
    update: {},
  });
  const secretCiphertext = encryptSigningSecret(secretsKey.parse(TEST_SECRETS.SECRETS_KEY), COMPANY, SECRET);
  const { id } = await db.webhookEndpoint.create({
    data: { companyId: COMPANY, url, events: ['*'], secretCiphertext, ...patch },
  });
  return id;
}

/** Makes deliveries of one event each, due at once, in one transaction; gives their ids in order. */
export async function createDeliveries(
  db: Database,
  endpointId: number,
  count: number,
  patch: Partial<WebhookDelivery> = {},
): Promise<bigint[]> {
  const createdAt = new Date();
  const type = 'engagement.recorded';
  const events = Array.from({ length: count }, (_, n) => {
    const id = randomUUID();
    return {
      companyId: COMPANY,
      id,
      type,
      createdAt,
      body: envelope(id, type, createdAt, COMPANY, { n, text: 'ü' }),
    };
  });
  await db.webhookEvent.createMany({ data: events });
  const rows = await db.webhookDelivery.createManyAndReturn({
    data: events.map(({ id }) => ({
      companyId: COMPANY,
      endpointId,
      eventId: id,
      eventType: type,
      createdAt,
      nextAttemptAt: createdAt,
      ...patch,
    })),
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Makes one delivery, due at once. */
export async function createDelivery(
  db: Database,
  endpointId: number,
  patch: Partial<WebhookDelivery> = {},
): Promise<bigint> {
  const [id] = await createDeliveries(db, endpointId, 1, patch);
  return id!;
}

/** Reads a delivery with its event and its attempts, oldest first. */
export function readDelivery(db: Database, id: bigint) {
  return db.webhookDelivery.findUniqueOrThrow({
    where: { id },
    include: { event: true, attemptLog: { orderBy: { number: 'asc' } } },
  });
}

/** Reads an endpoint. */
export function readEndpoint(db: Database, id: number) {
  return db.webhookEndpoint.findUniqueOrThrow({ where: { companyId_id: { companyId: COMPANY, id } } });
}
