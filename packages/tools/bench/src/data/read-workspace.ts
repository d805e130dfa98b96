import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import type { Database } from '@deal-signals/db/database';
import type { ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import type { BenchOptions } from '../options.ts';

/** The workspace that the read benchmarks use. */
export interface ReadWorkspace {
  apiKey: string;
  keyId: number;
  /** Requests that the key may make per minute. */
  rateLimit: number;
  /** The room whose metrics are measured, and its number of events. */
  busyRoomId: string;
  roomEvents: number;
}

type Sizes = Pick<BenchOptions, 'events' | 'views' | 'rooms' | 'calls' | 'roomEvents'>;

const USERS = 5;
/** The ids of the objects of each kind begin at these numbers. */
const CALLS = 1_000_000;
const LINKS = 2_000_000;
const BUSY_ROOM = 3_000_000;
/** Rooms that events and views happen in. */
const ACTIVE_ROOMS = 200;
const BUSY_PEOPLE = 50;
const TYPES = ['trailer_view', 'room_visit', 'doc_download', 'comment', 'trailer_complete'];
/** Later than any use of the key, so the row is never updated and a response never changes. */
const LAST_USED = new Date('2100-01-01');

const moment = (second: number): string => new Date(Date.UTC(2026, 8, 1) + second * 1_000).toISOString();

/** Captures the workspace that the reads are measured on and adds an API key. */
export async function buildReadWorkspace(
  db: Database,
  sizes: Sizes,
  rateLimit: number,
): Promise<ReadWorkspace> {
  await captureRecords(db, parsed(records(sizes)));
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  const apiKey = await addKey(db, COMPANY, { lastUsedAt: LAST_USED });
  const { id: keyId } = await db.apiKey.findFirstOrThrow({ where: { companyId: COMPANY } });
  return { apiKey, keyId, rateLimit, busyRoomId: uuid(BUSY_ROOM), roomEvents: sizes.roomEvents };
}

function* parsed(shortRecords: Iterable<ShortRecord>) {
  for (const record of shortRecords) yield captureRecord.parse({ companyId: COMPANY, ...record });
}

/** Yields rooms, calls with summaries, events and views spread over some of the rooms, and one busy room. */
function* records({ events, views, rooms, calls, roomEvents }: Sizes): Generator<ShortRecord> {
  yield { record: 'company', id: COMPANY, name: 'Northwind Analytics' };
  for (let n = 1; n <= USERS; n += 1)
    yield { record: 'user', id: n, name: `Seller ${n}`, email: `seller${n}@northwind.example` };
  for (let n = 0; n < rooms; n += 1) yield room(n, { slug: `prospect-${n}` });
  // Calls and summaries are separate, because a batch is written in groups of records of one kind.
  for (let n = 0; n < calls; n += 1) yield call(n, n % rooms);
  for (let n = 0; n < calls; n += 1) yield summary(n);
  const active = Math.min(ACTIVE_ROOMS, rooms, calls);
  for (let n = 0; n < active; n += 1) yield link(LINKS + n, n, CALLS + n);
  for (let n = 0; n < events; n += 1) yield event(`event ${n}`, n, LINKS + (n % active));
  for (let n = 0; n < views; n += 1) yield view(n, LINKS + (n % active));

  yield room(BUSY_ROOM, {});
  for (let n = 0; n < BUSY_PEOPLE; n += 1) {
    yield link(BUSY_ROOM + n, BUSY_ROOM, CALLS);
    const email = `person${BUSY_ROOM + n}@buyer.example`;
    yield { record: 'member', roomId: uuid(BUSY_ROOM), email, role: 'champion' };
  }
  for (let n = 0; n < roomEvents; n += 1) yield event(`busy ${n}`, n, BUSY_ROOM + (n % BUSY_PEOPLE));
}

function room(n: number, more: { slug?: string }): ShortRecord {
  return {
    record: 'room',
    id: uuid(n),
    name: `Prospect ${n}`,
    status: (['open', 'won', 'lost', 'dormant'] as const)[n % 4],
    ownerId: 1 + (n % USERS),
    primaryContactEmail: `buyer${n}@prospect${n}.example`,
    expectedCloseDate: '2026-12-18',
    dealValueCents: 4_500_000 + n,
    createdAt: moment(n % CALLS),
    ...more,
  };
}

/** Returns a call whose object is about 1 KB of JSON, including its summary. */
function call(n: number, roomNumber: number): ShortRecord {
  return {
    record: 'call',
    id: uuid(CALLS + n),
    kind: (['demo', 'qualifying_call', 'meeting'] as const)[n % 3]!,
    status: 'completed',
    occurredAt: moment(n),
    completedAt: moment(n + 1_800),
    ownerId: 1 + (n % USERS),
    title: `Call ${n} with the buying committee`,
    prospectName: `Prospect ${roomNumber}`,
    durationSeconds: 1_800,
    roomId: uuid(roomNumber),
    participants: [{ name: 'Sam Seller', email: 'sam@northwind.example', isHost: true, isInternal: true }],
    talkTime: { source: 'transcript', totalSpeakerSeconds: 1_700 },
  };
}

function summary(n: number): ShortRecord {
  return {
    record: 'callSummary',
    callId: uuid(CALLS + n),
    summary: {
      headline: `They compare three vendors and want to decide before the end of quarter ${1 + (n % 4)}`,
      keyTakeaways: ['The security review is the critical step.', 'Finance asks for annual billing.'],
      nextSteps: ['Send the order form.'],
      topics: [{ label: 'Pricing', startSeconds: 60, endSeconds: 420 }],
    },
  };
}

function link(n: number, roomNumber: number, callNumber: number): ShortRecord {
  return {
    record: 'distribution',
    id: uuid(n),
    roomId: uuid(roomNumber),
    callId: uuid(callNumber),
    recipientName: `Person ${n}`,
    recipientEmail: `person${n}@buyer.example`,
  };
}

function event(key: string, n: number, linkNumber: number): ShortRecord {
  return {
    record: 'event',
    key,
    type: TYPES[n % TYPES.length]!,
    occurredAt: moment(n),
    distributionId: uuid(linkNumber),
    metadata: { source: 'web', position: n },
  };
}

function view(n: number, linkNumber: number): ShortRecord {
  return {
    record: 'view',
    key: `view ${n}`,
    distributionId: uuid(linkNumber),
    startedAt: moment(n),
    endedAt: moment(n + 90),
    segments: [
      [n % 500, (n % 500) + 60],
      [(n * 7) % 1_000, ((n * 7) % 1_000) + 20],
    ],
  };
}
