import type { Database } from '@deal-signals/db/database';
import { envelope } from '@deal-signals/outbox/record-events';
import { emailIdentity } from '@deal-signals/serializers/rooms/identity';
import { addEndpoint } from './deliveries.ts';
import { second } from './ids.ts';
import { rollUp } from './rolled-up.ts';
import { addCall, addCompany, addEvent, addKey, addLink, addRoom, addView } from './workspace.ts';

/** The UUID of the neighbour's objects. Objects with an integer id have the next constant. */
export const NEIGHBOUR_ID = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';
export const NEIGHBOUR_INTEGER = 777_777_777;
const SECRET = 'of-the-neighbour';
/** Texts that no response to another workspace may contain. */
export const NEIGHBOUR_SECRETS = [SECRET, NEIGHBOUR_ID, String(NEIGHBOUR_INTEGER)];

/** Adds a workspace with one object of each kind, and a secret in every field that can hold one. */
export async function plantNeighbour(db: Database, companyId: number): Promise<void> {
  const mine = { companyId, id: NEIGHBOUR_ID };
  const roomId = NEIGHBOUR_ID;
  await addCompany(db, companyId, { name: SECRET });
  await db.user.updateMany({ where: { companyId }, data: { name: SECRET, email: SECRET } });
  await addRoom(db, companyId, 1, {
    id: roomId,
    name: SECRET,
    slug: SECRET,
    primaryContactEmail: SECRET,
    dealValueCents: NEIGHBOUR_INTEGER,
  });
  await addCall(db, companyId, 1, {
    id: NEIGHBOUR_ID,
    roomId,
    title: SECRET,
    prospectName: SECRET,
    summary: { schema: SECRET, headline: SECRET },
    disqualifiedReason: SECRET,
  });
  await addLink(db, companyId, 1, {
    id: NEIGHBOUR_ID,
    roomId,
    callId: NEIGHBOUR_ID,
    recipientName: SECRET,
    recipientEmail: SECRET,
  });
  await db.document.create({
    data: {
      ...mine,
      roomId,
      title: SECRET,
      category: SECRET,
      libraryAssetId: SECRET,
      updatedAt: second(1),
    },
  });
  await db.roomMember.create({ data: { companyId, roomId, identity: SECRET, email: SECRET, name: SECRET } });
  await db.actionItem.create({ data: { ...mine, roomId, title: SECRET } });
  await db.message.create({
    data: { companyId, key: SECRET, roomId, side: 'prospect', sentAt: second(1), text: SECRET },
  });
  await db.esignDocument.create({
    data: {
      ...mine,
      roomId,
      vendor: SECRET,
      envelopeId: SECRET,
      status: 'sent',
      subject: SECRET,
      updatedAt: second(1),
    },
  });
  await addEvent(db, companyId, 1, {
    id: NEIGHBOUR_INTEGER,
    buyerSpaceId: roomId,
    distributionId: NEIGHBOUR_ID,
    demoId: NEIGHBOUR_ID,
    actorName: SECRET,
    metadata: { note: SECRET },
  });
  await addView(db, companyId, 1, {
    id: NEIGHBOUR_INTEGER,
    buyerSpaceId: roomId,
    distributionId: NEIGHBOUR_ID,
    demoId: NEIGHBOUR_ID,
    actorName: SECRET,
    demoTitle: SECRET,
  });
  await rollUp(db);
  // The id of a person is derived from the room and the identity.
  await db.person.updateMany({ where: { companyId, identity: SECRET }, data: { id: NEIGHBOUR_ID } });
  await db.$executeRaw`SELECT rebuild_search_names(${companyId})`;
  await addEndpoint(db, {
    companyId,
    id: NEIGHBOUR_INTEGER,
    url: `https://example.com/${SECRET}`,
    description: SECRET,
    secretCiphertext: Buffer.from(SECRET),
  });
  await db.alertChannel.create({
    data: {
      companyId,
      id: NEIGHBOUR_INTEGER,
      kind: 'webhook',
      host: SECRET,
      targetCiphertext: Buffer.from(SECRET),
      events: ['deliveries.dead'],
      description: SECRET,
      lastError: SECRET,
    },
  });
  const createdAt = second(1);
  await db.webhookEvent.create({
    data: {
      ...mine,
      type: 'decision_room.updated',
      createdAt,
      body: envelope(NEIGHBOUR_ID, 'decision_room.updated', createdAt, companyId, { SECRET }),
      buyerSpaceId: NEIGHBOUR_ID,
      callId: NEIGHBOUR_ID,
      identity: emailIdentity(SECRET),
    },
  });
  await db.webhookDelivery.create({
    data: {
      companyId,
      id: NEIGHBOUR_INTEGER,
      endpointId: NEIGHBOUR_INTEGER,
      eventId: NEIGHBOUR_ID,
      eventType: 'decision_room.updated',
      createdAt,
      status: 'dead',
      attempts: 8,
      lastError: SECRET,
    },
  });
  await db.$executeRaw`
    INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
    SELECT ${companyId}, kind, subject, ${NEIGHBOUR_INTEGER}, 1
    FROM delivery_subjects(
      ${NEIGHBOUR_ID}::uuid, 'decision_room.updated', ${NEIGHBOUR_ID}::uuid, ${NEIGHBOUR_ID}::uuid, ${emailIdentity(SECRET)})`;
  await db.webhookAttempt.create({
    data: {
      companyId,
      deliveryId: NEIGHBOUR_INTEGER,
      number: 1,
      startedAt: second(1),
      durationMs: 1,
      statusCode: 500,
      error: SECRET,
      responseExcerpt: SECRET,
    },
  });
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  await db.attemptCount.create({
    data: {
      companyId,
      endpointId: NEIGHBOUR_INTEGER,
      width: 'hour',
      at: hour,
      delivered: NEIGHBOUR_INTEGER,
      slowestMs: NEIGHBOUR_INTEGER,
    },
  });
  await addKey(db, companyId, { id: NEIGHBOUR_INTEGER, name: SECRET });
  await db.apiKeyDay.create({
    data: { companyId, apiKeyId: NEIGHBOUR_INTEGER, day: hour, requests: NEIGHBOUR_INTEGER },
  });
  await db.auditRecord.create({
    data: {
      companyId,
      id: NEIGHBOUR_INTEGER,
      at: second(1),
      userId: 7,
      requestId: SECRET,
      action: 'api_key.created',
      objectType: 'api_key',
      objectId: String(NEIGHBOUR_INTEGER),
      details: { name: SECRET },
    },
  });
  await db.erasure.create({
    data: {
      ...mine,
      erasedAt: second(1),
      objectText: JSON.stringify({ id: NEIGHBOUR_ID, erasureId: NEIGHBOUR_ID, personIds: [NEIGHBOUR_ID] }),
    },
  });
}
