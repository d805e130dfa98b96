import type { Database } from '@deal-signals/db/database';
import { captureRecords } from '../src/capture-records.ts';
import { captureRecord, type CaptureInput } from '../src/record.ts';

/** The workspace that the tests write to. */
export const COMPANY = 1;

/** A UUID that a reader can recognise. */
export const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const ROOM = id(1);
export const CALL = id(2);
export const LINK = id(3);
export const FORWARD = id(4);
export const DOCUMENT = id(5);

/** A record without its workspace, so that the tests do not repeat it. */
type Short<T> = T extends { companyId: number } ? Omit<T, 'companyId'> : T;

/** Parses and captures records of the test's workspace. */
export function capture(db: Database, ...records: Short<CaptureInput>[]): Promise<void> {
  return captureRecords(
    db,
    records.map((record) => captureRecord.parse({ companyId: COMPANY, ...record })),
  );
}

/** A workspace with a room, a call in it, a link, its forward and a document. */
export async function captureWorkspace(db: Database): Promise<void> {
  await capture(
    db,
    { record: 'company', id: COMPANY, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
    { record: 'room', id: ROOM, name: 'Globex', ownerId: 7, dealValueCents: 5_000_000_000 },
    {
      record: 'call',
      id: CALL,
      kind: 'demo',
      occurredAt: '2026-09-01T12:00:00+02:00',
      ownerId: 7,
      title: 'First demo',
      durationSeconds: 600,
      roomId: ROOM,
    },
    {
      record: 'distribution',
      id: LINK,
      roomId: ROOM,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId: CALL,
    },
    {
      record: 'distribution',
      id: FORWARD,
      roomId: ROOM,
      recipientName: 'Eve',
      recipientEmail: 'eve@globex.example',
      callId: CALL,
      forwardedFromDistributionId: LINK,
    },
    { record: 'document', id: DOCUMENT, roomId: ROOM, title: 'Pricing', category: 'pricing' },
  );
}

/** Subscribes an endpoint to everything, so that events are recorded. */
export async function subscribe(db: Database, events = ['*']): Promise<number> {
  const endpoint = await db.webhookEndpoint.create({
    data: {
      companyId: COMPANY,
      url: 'https://receiver.example',
      events,
      secretCiphertext: new Uint8Array(1),
    },
  });
  return endpoint.id;
}

/** The types of the recorded events, oldest first. */
export async function recordedTypes(db: Database): Promise<string[]> {
  const deliveries = await db.webhookDelivery.findMany({
    where: { companyId: COMPANY },
    orderBy: { id: 'asc' },
  });
  return deliveries.map(({ eventType }) => eventType);
}

/** Everything that the tests compare: all rows of the workspace's feeds and outbox. */
export async function snapshot(db: Database) {
  const where = { companyId: COMPANY };
  return {
    rooms: await db.room.findMany({ where }),
    members: await db.roomMember.findMany({ where }),
    calls: await db.call.findMany({ where }),
    events: await db.engagementEvent.findMany({ where, orderBy: { id: 'asc' } }),
    views: await db.engagementView.findMany({ where, orderBy: { id: 'asc' } }),
    messages: await db.message.findMany({ where }),
    actionItems: await db.actionItem.findMany({ where }),
    esigns: await db.esignDocument.findMany({ where }),
    deliveries: await db.webhookDelivery.findMany({ where, orderBy: { id: 'asc' } }),
  };
}
