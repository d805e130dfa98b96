import { randomUUID } from 'node:crypto';
import type { Database } from '@deal-signals/db/database';
import type { Prisma } from '@deal-signals/db/generated/client';
import type { Attempt } from '@deal-signals/deliveries/attempts/begin-attempt';
import type { EventType } from '@deal-signals/outbox/event-types';
import { envelope } from '@deal-signals/outbox/record-events';
import { secretKeys } from '@deal-signals/sending/secrets/secret-keys';
import { encryptSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import { newTraceparent } from '@deal-signals/sending/headers/traceparent';
import { TEST_SECRETS } from '../processes.ts';
import { COMPANY, feedId, second } from './ids.ts';

/** The signing secret of the endpoints of the tests. */
export const SIGNING_SECRET = 'whsec_5vSOTFIay5UFVu9UUC6PTmg+cVF1fSenoSYQa8LlXKc=';

/** The lease duration of the claims of `addAttempt`. */
const LEASE_MS = 60_000;

/** A delivery whose last attempt failed. */
export const DEAD = {
  status: 'dead',
  attempts: 8,
  lastStatusCode: 500,
  lastError: 'receiver responded with 500',
} as const;

/** A delivery whose first attempt succeeded. */
export const DELIVERED = {
  status: 'delivered',
  attempts: 1,
  deliveredAt: second(3),
  lastStatusCode: 200,
} as const;

/** The fields of a delivery that a test may set besides its endpoint. It is pending unless it has a status. */
type DeliveryFields =
  | PendingFields
  | ({
      eventType?: EventType;
      status: 'delivered' | 'dead';
    } & Partial<Prisma.WebhookDeliveryUncheckedCreateInput>);
type PendingFields = {
  eventType?: EventType;
  status?: 'pending';
} & Partial<Prisma.PendingDeliveryUncheckedCreateInput>;

/** Adds an endpoint that subscribes to everything and whose URL, unless one is given, is unreachable. Returns its id. */
export async function addEndpoint(
  db: Database,
  fields: Partial<Prisma.WebhookEndpointUncheckedCreateInput> = {},
): Promise<number> {
  const { companyId = COMPANY } = fields;
  const keys = secretKeys.parse(TEST_SECRETS.SECRETS_KEY);
  const { id } = await db.webhookEndpoint.create({
    data: {
      companyId,
      url: 'https://127.0.0.1:1/',
      events: ['*'],
      secretCiphertext: encryptSigningSecret(keys, companyId, SIGNING_SECRET),
      ...fields,
    },
  });
  return id;
}

/** Adds deliveries to an endpoint, due at once, of one new event each. Returns their ids in order. */
export async function addDeliveries(
  db: Database,
  endpointId: number,
  count: number,
  fields: DeliveryFields = {},
): Promise<bigint[]> {
  const { companyId = COMPANY, eventType: type = 'engagement.recorded' } = fields;
  const createdAt = new Date(fields.createdAt ?? Date.now());
  const events = Array.from({ length: count }, (_, n) => {
    const id = randomUUID();
    // The text shows whether a body is signed and sent as the stored bytes.
    return {
      companyId,
      id,
      type,
      createdAt,
      body: envelope(id, type, createdAt, companyId, { n, text: 'ü' }),
    };
  });
  await db.webhookEvent.createMany({ data: events });
  const rows = events.map(({ id: eventId }) => ({
    companyId,
    id: BigInt(fields.id ?? feedId(fields.createdAt)),
    endpointId,
    eventId,
    eventType: type,
    createdAt,
  }));
  if (fields.status === 'delivered' || fields.status === 'dead') {
    await db.webhookDelivery.createMany({ data: rows.map((row) => ({ ...row, attempts: 0, ...fields })) });
  } else {
    const { status: _, ...pending } = fields;
    await db.pendingDelivery.createMany({
      data: rows.map((row) => ({ ...row, nextAttemptAt: createdAt, ...pending })),
    });
  }
  await db.$executeRaw`
    INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
    SELECT ${companyId}, s.kind, s.subject, d.id, 1
    FROM deliveries d JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id
    CROSS JOIN LATERAL delivery_subjects(e.id, e.type, e.buyer_space_id, e.call_id, e.identity) AS s
    WHERE d.company_id = ${companyId} AND d.id = ANY (${rows.map(({ id }) => id)}::bigint[])`;
  return rows.map(({ id }) => id);
}

/** Adds one delivery to an endpoint, due at once, of a new event. Returns its id. */
export async function addDelivery(
  db: Database,
  endpointId: number,
  fields: DeliveryFields = {},
): Promise<bigint> {
  const [id] = await addDeliveries(db, endpointId, 1, fields);
  return id!;
}

/** Adds a delivery whose attempt has begun. Returns the attempt, for which an outcome can be recorded. */
export async function addAttempt(
  db: Database,
  endpointId: number,
  fields: PendingFields & { attempts?: number } = {},
): Promise<Attempt> {
  const { companyId = COMPANY, eventType = 'engagement.recorded', attempts = 0 } = fields;
  const claimToken = randomUUID();
  const leaseExpiresAt = new Date(Date.now() + LEASE_MS);
  const deliveryId = await addDelivery(db, endpointId, {
    ready: false,
    claimToken,
    leaseExpiresAt,
    ...fields,
  });
  const { eventId } = await db.pendingDelivery.findFirstOrThrow({ where: { companyId, id: deliveryId } });
  const endpoint = await db.webhookEndpoint.findFirstOrThrow({ where: { companyId, id: endpointId } });
  const event = await db.webhookEvent.findFirstOrThrow({ where: { companyId, id: eventId } });
  return {
    companyId,
    deliveryId,
    endpointId,
    eventId,
    eventType,
    body: event.body,
    url: endpoint.url,
    secretCiphertext: endpoint.secretCiphertext,
    previousSecretCiphertext: null,
    headersCiphertext: endpoint.headersCiphertext,
    everHadHeaders: endpoint.everHadHeaders,
    claimToken,
    startedAt: new Date(),
    leaseLeftMs: LEASE_MS,
    attemptInSchedule: attempts + 1,
    attemptNumber: 1,
    ageMs: 0,
    waitedMs: 0,
    isRateLimited: false,
    traceparent: newTraceparent(eventId),
    captureTraceparent: null,
  };
}

/** Returns a delivery with its event and its attempts, oldest first, and with its queue columns while it is pending. */
export async function readDelivery(db: Database, id: bigint) {
  const delivery = await db.delivery.findFirstOrThrow({ where: { id } });
  const { companyId, eventId } = delivery;
  const [queued, event, attemptLog] = await Promise.all([
    db.pendingDelivery.findFirst({ where: { companyId, id } }),
    db.webhookEvent.findFirstOrThrow({ where: { companyId, id: eventId } }),
    db.webhookAttempt.findMany({ where: { companyId, deliveryId: id }, orderBy: { number: 'asc' } }),
  ]);
  const {
    ready = false,
    claimToken = null,
    leaseExpiresAt = null,
    retryRequestedAt = null,
    requeued = false,
  } = queued ?? {};
  return { ...delivery, ready, claimToken, leaseExpiresAt, retryRequestedAt, requeued, event, attemptLog };
}

/** Returns an endpoint of the default workspace. */
export function readEndpoint(db: Database, id: number) {
  return db.webhookEndpoint.findUniqueOrThrow({ where: { companyId_id: { companyId: COMPANY, id } } });
}
