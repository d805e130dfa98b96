import type { Database } from '@deal-signals/db/database';
import type { WebhookEvent } from '@deal-signals/db/generated/client';
import {
  CALL,
  DOCUMENT,
  FORWARD,
  LINK,
  ROOM,
  type ShortRecord,
} from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';

/** Records of every kind in addition to those that `captureWorkspace` captures. */
export const everything = [
  {
    record: 'room',
    id: ROOM,
    name: 'Globex',
    status: 'won',
    expectedCloseDate: '2026-12-01',
    sourceCallId: CALL,
  },
  { record: 'member', roomId: ROOM, email: 'Bob@globex.example', name: 'Bob', role: 'Champion' },
  { record: 'member', roomId: ROOM, name: 'Legal desk' },
  { record: 'callSummary', callId: CALL, summary: { headline: 'Good fit', painPoints: ['manual work'] } },
  { record: 'event', key: 'e1', type: 'trailer_view', occurredAt: '2026-09-02', distributionId: LINK },
  {
    record: 'event',
    key: 'e2',
    type: 'doc_open',
    occurredAt: '2026-09-02',
    distributionId: FORWARD,
    docId: DOCUMENT,
  },
  {
    record: 'view',
    key: 'v1',
    distributionId: LINK,
    startedAt: '2026-09-02T10:00:00Z',
    endedAt: '2026-09-02T10:05:00Z',
    segments: [
      [0, 100],
      [50, 200],
    ],
  },
  {
    record: 'view',
    key: 'v2',
    distributionId: LINK,
    docId: DOCUMENT,
    startedAt: '2026-09-02',
    endedAt: '2026-09-02',
    seconds: 30,
  },
  { record: 'actionItem', id: uuid(6), roomId: ROOM, title: 'Security review', dueDate: '2026-10-01' },
  {
    record: 'message',
    key: 'm1',
    roomId: ROOM,
    side: 'prospect',
    sentAt: '2026-09-03',
    distributionId: LINK,
    text: 'Hello',
  },
  { record: 'message', key: 'm2', roomId: ROOM, side: 'seller', sentAt: '2026-09-03', text: 'Hi' },
  { record: 'esign', id: 'contract-1', roomId: ROOM, vendor: 'penandink', envelopeId: 'x-1', status: 'sent' },
] satisfies ShortRecord[];

/** Returns the record of `everything` with this key. */
export function recordWithKey(key: string): ShortRecord {
  const record = everything.find((candidate) => 'key' in candidate && candidate.key === key);
  if (record === undefined) throw new Error(`no record has the key ${key}`);
  return record;
}

/** Returns the types of the recorded webhook events, oldest first. */
export async function recordedTypes(db: Database): Promise<string[]> {
  const deliveries = await db.pendingDelivery.findMany({ orderBy: { id: 'asc' } });
  return deliveries.map(({ eventType }) => eventType);
}

/** Returns the event of each delivery, oldest first. */
export async function eventsInOrder(db: Database): Promise<WebhookEvent[]> {
  const deliveries = await db.pendingDelivery.findMany({ orderBy: { id: 'asc' } });
  const events = new Map((await db.webhookEvent.findMany()).map((event) => [event.id, event]));
  return deliveries.map(({ eventId }) => events.get(eventId)!);
}

/** Returns the rows of all tables as text, except the feed clock, which also advances if nothing changes. */
export async function rowsOfAllTables(db: Database): Promise<Map<string, string>> {
  const tables = await db.$queryRaw<{ name: string; rows: string }[]>`
    SELECT table_name::text AS name, query_to_xml(format('SELECT * FROM %I', table_name), true, true, '')::text AS rows
    FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> 'feed_clocks'`;
  return new Map(tables.map(({ name, rows }) => [name, rows]));
}

/** Returns all rows of the feeds and of the outbox. */
export async function snapshot(db: Database) {
  return {
    rooms: await db.room.findMany(),
    members: await db.roomMember.findMany(),
    people: await db.person.findMany({ orderBy: { id: 'asc' } }),
    distributions: await db.distribution.findMany({ orderBy: { id: 'asc' } }),
    documents: await db.document.findMany({ orderBy: { id: 'asc' } }),
    calls: await db.call.findMany(),
    events: await db.engagementEvent.findMany({ orderBy: { id: 'asc' } }),
    views: await db.engagementView.findMany({ orderBy: { id: 'asc' } }),
    messages: await db.message.findMany(),
    actionItems: await db.actionItem.findMany(),
    esigns: await db.esignDocument.findMany(),
    deliveries: await db.pendingDelivery.findMany({ orderBy: { id: 'asc' } }),
  };
}
