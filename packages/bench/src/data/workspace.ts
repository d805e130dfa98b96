import { captureRecords } from '@deal-signals/capture/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';

/** How much generated data the reads are measured on. */
export interface ReadSizes {
  events: number;
  views: number;
  rooms: number;
  calls: number;
  /** Events of the room whose metrics are read. */
  roomEvents: number;
}

/** The workspace that is read. */
export interface ReadWorkspace {
  companyId: number;
  apiKey: string;
  keyId: number;
  /** The room whose metrics are measured. */
  busyRoomId: string;
  /** How many events it has. */
  roomEvents: number;
}

/** The workspace of `readRecords`. */
export const COMPANY = 1;
const USERS = 5;
const ROOM_0 = 0;
const CALL_0 = 1_000_000;
const LINK_0 = 2_000_000;
/** Rooms that events and views happen in. */
const ACTIVE_ROOMS = 200;
const BUSY_ROOM = 900_000;
const BUSY_PEOPLE = 50;
const TYPES = ['trailer_view', 'room_visit', 'doc_download', 'comment', 'trailer_complete'];
/** Records between two lines of progress. */
const PROGRESS = 10_000;
const START_MS = Date.UTC(2026, 8, 1);

/** Captures the workspace that the reads are measured on, and adds an API key. */
export async function buildReadWorkspace(
  db: Database,
  sizes: ReadSizes,
  say: (line: string) => void,
): Promise<ReadWorkspace> {
  let written = 0;
  const onWritten = (count: number) => {
    if (Math.floor((written + count) / PROGRESS) > Math.floor(written / PROGRESS))
      say(`reads: ${written} records`);
    written += count;
  };
  await captureRecords(db, parsed(readRecords(sizes)), onWritten);
  await captureRecords(db, parsed(busyRoomRecords(sizes.roomEvents)), onWritten);
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  const apiKey = await addKey(db, COMPANY);
  const { id: keyId } = await db.apiKey.findFirstOrThrow({ where: { companyId: COMPANY } });
  return { companyId: COMPANY, apiKey, keyId, busyRoomId: uuid(BUSY_ROOM), roomEvents: sizes.roomEvents };
}

/** Parses records as the capture command does. */
export function* parsed(records: Iterable<CaptureInput>) {
  for (const record of records) yield captureRecord.parse(record);
}

/** The records of a workspace: rooms, calls with summaries, and events and views that share out among some of the rooms. */
export function* readRecords({
  events,
  views,
  rooms,
  calls,
}: Omit<ReadSizes, 'roomEvents'>): Generator<CaptureInput> {
  yield { record: 'company', id: COMPANY, name: 'Northwind Analytics' };
  for (let n = 1; n <= USERS; n += 1) {
    yield {
      record: 'user',
      companyId: COMPANY,
      id: n,
      name: `Seller ${n}`,
      email: `seller${n}@northwind.example`,
    };
  }
  for (let n = 0; n < rooms; n += 1) {
    yield {
      record: 'room',
      companyId: COMPANY,
      id: uuid(ROOM_0 + n),
      name: `Prospect ${n}`,
      slug: `prospect-${n}`,
      status: (['open', 'won', 'lost', 'dormant'] as const)[n % 4],
      ownerId: 1 + (n % USERS),
      primaryContactEmail: `buyer${n}@prospect${n}.example`,
      expectedCloseDate: '2026-12-18',
      dealValueCents: 4_500_000 + n,
      createdAt: moment(n),
    };
  }
  // Calls and their summaries apart: a batch is written by runs of one kind.
  for (let n = 0; n < calls; n += 1) yield callRecord(n, n % rooms);
  for (let n = 0; n < calls; n += 1) yield summaryRecord(n);
  const active = Math.min(ACTIVE_ROOMS, rooms, calls);
  for (let n = 0; n < active; n += 1) yield linkRecord(LINK_0 + n, ROOM_0 + n, CALL_0 + n);
  for (let n = 0; n < events; n += 1) yield eventRecord(`event ${n}`, n, LINK_0 + (n % active));
  for (let n = 0; n < views; n += 1) {
    yield {
      record: 'view',
      companyId: COMPANY,
      key: `view ${n}`,
      distributionId: uuid(LINK_0 + (n % active)),
      startedAt: moment(n),
      endedAt: moment(n + 90),
      segments: [
        [n % 500, (n % 500) + 60],
        [(n * 7) % 1_000, ((n * 7) % 1_000) + 20],
      ],
    };
  }
}

/** A call whose object is about 1 KB of JSON, summary included. */
function callRecord(n: number, room: number): CaptureInput {
  return {
    record: 'call',
    companyId: COMPANY,
    id: uuid(CALL_0 + n),
    kind: (['demo', 'qualifying_call', 'meeting'] as const)[n % 3]!,
    status: 'completed',
    occurredAt: moment(n),
    completedAt: moment(n + 1_800),
    ownerId: 1 + (n % USERS),
    title: `Call ${n} with the buying committee`,
    prospectName: `Prospect ${room}`,
    durationSeconds: 1_800,
    roomId: uuid(ROOM_0 + room),
    participants: [{ name: 'Sam Seller', email: 'sam@northwind.example', isHost: true, isInternal: true }],
    talkTime: { source: 'transcript', totalSpeakerSeconds: 1_700 },
  };
}

function summaryRecord(n: number): CaptureInput {
  return {
    record: 'callSummary',
    companyId: COMPANY,
    callId: uuid(CALL_0 + n),
    summary: {
      headline: `They compare three vendors and want to decide before the end of quarter ${1 + (n % 4)}`,
      keyTakeaways: ['The security review is the critical step.', 'Finance asks for annual billing.'],
      nextSteps: ['Send the order form.'],
      topics: [{ label: 'Pricing', startSeconds: 60, endSeconds: 420 }],
    },
  };
}

function* busyRoomRecords(events: number): Generator<CaptureInput> {
  yield { record: 'room', companyId: COMPANY, id: uuid(BUSY_ROOM), name: 'Busy', ownerId: 1 };
  for (let n = 0; n < BUSY_PEOPLE; n += 1) {
    yield linkRecord(BUSY_ROOM + 1 + n, BUSY_ROOM, CALL_0);
    yield {
      record: 'member',
      companyId: COMPANY,
      roomId: uuid(BUSY_ROOM),
      email: `person${BUSY_ROOM + 1 + n}@buyer.example`,
      role: 'champion',
    };
  }
  for (let n = 0; n < events; n += 1) {
    yield eventRecord(`busy ${n}`, n, BUSY_ROOM + 1 + (n % BUSY_PEOPLE));
  }
}

function linkRecord(link: number, room: number, call: number): CaptureInput {
  return {
    record: 'distribution',
    companyId: COMPANY,
    id: uuid(link),
    roomId: uuid(room),
    callId: uuid(call),
    recipientName: `Person ${link}`,
    recipientEmail: `person${link}@buyer.example`,
  };
}

function eventRecord(key: string, n: number, link: number): CaptureInput {
  return {
    record: 'event',
    companyId: COMPANY,
    key,
    type: TYPES[n % TYPES.length]!,
    occurredAt: moment(n),
    distributionId: uuid(link),
    metadata: { source: 'web', position: n },
  };
}

function moment(second: number): string {
  return new Date(START_MS + second * 1_000).toISOString();
}
