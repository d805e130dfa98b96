import type { Database } from '@deal-signals/db/database';
import { API_VERSION } from '@deal-signals/outbox/event-types';
import { addCall, addCompany, addEvent, addKey, addRoom, addView, second } from './rows.ts';

/** The id of every object of the neighbour that has a UUID, and of every one that has an integer. */
export const NEIGHBOUR_ID = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';
export const NEIGHBOUR_INTEGER = 777_777_777;
const SECRET = 'of-the-neighbour';
/** Nothing that another workspace is answered may have any of these in it. */
export const NEIGHBOUR_SECRETS = [SECRET, NEIGHBOUR_ID, String(NEIGHBOUR_INTEGER)];

/** A workspace with one of everything, and a secret in every field that can hold one. */
export async function plantNeighbour(db: Database, companyId: number): Promise<void> {
  const mine = { companyId, id: NEIGHBOUR_ID };
  const roomId = NEIGHBOUR_ID;
  await addCompany(db, companyId);
  await db.company.update({ where: { id: companyId }, data: { name: SECRET } });
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
  await db.distribution.create({
    data: { ...mine, roomId, callId: NEIGHBOUR_ID, recipientName: SECRET, recipientEmail: SECRET },
  });
  await db.document.create({
    data: { ...mine, roomId, title: SECRET, category: SECRET, libraryAssetId: SECRET },
  });
  await db.roomMember.create({ data: { companyId, roomId, identity: SECRET, email: SECRET, name: SECRET } });
  await db.actionItem.create({ data: { ...mine, roomId, title: SECRET } });
  await db.message.create({
    data: { companyId, key: SECRET, roomId, side: 'prospect', sentAt: second(1), text: SECRET },
  });
  await db.esignDocument.create({
    data: {
      companyId,
      id: SECRET,
      roomId,
      vendor: SECRET,
      envelopeId: SECRET,
      status: 'sent',
      subject: SECRET,
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
  await db.webhookEndpoint.create({
    data: {
      companyId,
      id: NEIGHBOUR_INTEGER,
      url: `https://example.com/${SECRET}`,
      description: SECRET,
      events: ['*'],
      secretCiphertext: Buffer.from(SECRET),
    },
  });
  await db.webhookEvent.create({
    data: {
      ...mine,
      type: 'integration.ping',
      createdAt: second(1),
      body: JSON.stringify({
        id: NEIGHBOUR_ID,
        type: 'integration.ping',
        apiVersion: API_VERSION,
        createdAt: second(1),
        companyId,
        data: { SECRET },
      }),
    },
  });
  await db.webhookDelivery.create({
    data: {
      companyId,
      id: NEIGHBOUR_INTEGER,
      endpointId: NEIGHBOUR_INTEGER,
      eventId: NEIGHBOUR_ID,
      eventType: 'integration.ping',
      createdAt: second(1),
      status: 'dead',
      ready: false,
      lastError: SECRET,
    },
  });
  await db.webhookAttempt.create({
    data: {
      deliveryId: NEIGHBOUR_INTEGER,
      number: 1,
      startedAt: second(1),
      durationMs: 1,
      statusCode: 500,
      error: SECRET,
      responseExcerpt: SECRET,
    },
  });
  await addKey(db, companyId, { id: NEIGHBOUR_INTEGER, name: SECRET });
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
}
