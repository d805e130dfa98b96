import type { ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import type { randomNumbers } from '@deal-signals/test-kit/worlds/random';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Texts and numbers that could be written in more than one way. */
const TEXTS = [
  'plain',
  'ü€😀',
  '"quoted"\\',
  'two\nlines\r\t',
  '\u0001\u007f\u2028',
  '</script>',
  '\\u0000',
  '',
];
const NUMBERS = [0, -0, 7, 10.5, 0.1, 1e21, 1.5e300, 1e-7, 5e-324, -123_456.789, Number.MAX_SAFE_INTEGER];
const KEYS = [
  'b',
  'a',
  'ü',
  '10',
  '9',
  'aa',
  '😀',
  '\uffee',
  'hasOwnProperty',
  'key with spaces',
  'ÿ',
  'zz',
  'constructor',
  '',
];

const USERS = [7, 8];
export const ROOMS = [0, 1, 2].map((n) => uuid(1 + n));
export const CALLS = [0, 1, 2].map((n) => uuid(200 + n));
export const LINKS = [0, 1, 2].map((n) => uuid(100 + n));
const DOCUMENTS = [0, 1, 2].map((n) => uuid(300 + n));

/** The objects that all others refer to. */
export function firstRecords(): ShortRecord[] {
  return [
    ...USERS.map((id): ShortRecord => ({ record: 'user', id, name: 'Ann', email: 'ann@acme.example' })),
    ...ROOMS.map((id): ShortRecord => ({ record: 'room', id, name: 'Room' })),
    ...CALLS.map((id): ShortRecord => ({
      record: 'call',
      id,
      kind: 'demo',
      occurredAt: '2026-09-01',
      ownerId: 7,
    })),
    ...LINKS.map((id, n): ShortRecord => ({
      record: 'distribution',
      id,
      roomId: ROOMS[n] as string,
      recipientName: 'Bob',
      recipientEmail: 'bob@globex.example',
      callId: CALLS[n] ?? null,
    })),
    ...DOCUMENTS.map((id, n): ShortRecord => ({
      record: 'document',
      id,
      roomId: ROOMS[n] as string,
      title: 'Document',
      category: 'c',
    })),
  ];
}

/** Returns a random batch of records, of every kind that changes an object. */
export function randomRecords(random: ReturnType<typeof randomNumbers>): ShortRecord[] {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const textOrNull = () => pick([null, ...TEXTS]);
  const nonEmpty = () => pick(TEXTS.filter((text) => text.trim() !== ''));
  const moment = () => new Date(Date.UTC(2026, 8, 1) + random(1_000_000_000)).toISOString();
  const momentOrNull = () =>
    pick([null, moment(), '0001-01-01', '2026-09-01T10:00:00.050Z', '9999-12-31T23:59:59.999Z']);
  const json = (depth: number): Json => {
    const form = random(depth > 2 ? 4 : 6);
    if (form === 0) return pick(TEXTS);
    if (form === 1) return pick(NUMBERS);
    if (form === 2) return pick([true, false, null]);
    if (form === 3) return [];
    if (form === 4) return Array.from({ length: random(4) }, () => json(depth + 1));
    return object(depth + 1);
  };
  const object = (depth: number): Record<string, Json> =>
    Object.fromEntries(Array.from({ length: random(8) }, () => [pick(KEYS), json(depth)]));
  const n = () => random(ROOMS.length);

  const changes: (() => ShortRecord | ShortRecord[])[] = [
    () => ({ record: 'user', id: pick(USERS), name: nonEmpty(), email: `a${random(3)}@acme.example` }),
    () => ({
      record: 'room',
      id: pick(ROOMS),
      name: nonEmpty(),
      slug: textOrNull(),
      ownerId: pick([null, ...USERS]),
      primaryContactEmail: pick([null, 'eve@globex.example', 'bob@globex.example']),
      expectedCloseDate: pick([null, '2026-12-18', '0001-01-01']),
      sourceCallId: pick([null, ...CALLS]),
      closedAt: momentOrNull(),
    }),
    () => ({
      record: 'room',
      id: pick(ROOMS),
      name: 'Room',
      status: pick(['open', 'won', 'lost', 'dormant'] as const),
      dealValueCents: pick([null, 0, 5_000_000_000, Number.MAX_SAFE_INTEGER]),
    }),
    () => ({
      record: 'call',
      id: pick(CALLS),
      kind: pick(['demo', 'qualifying_call', 'meeting'] as const),
      occurredAt: moment(),
      ownerId: pick(USERS),
      status: pick(['processing', 'completed', 'completed', 'failed'] as const),
      completedAt: momentOrNull(),
      title: pick([null, nonEmpty()]),
      prospectName: textOrNull(),
      durationSeconds: pick([null, 0, 600]),
      roomId: pick([null, ...ROOMS]),
      participants: Array.from({ length: random(3) }, () => ({
        name: textOrNull(),
        talkPercent: pick([null, 10.5, 1e-7]),
        sources: [pick(TEXTS)],
      })),
      talkTime: pick([null, { source: pick(TEXTS) }, { totalSpeakerSeconds: 9 }]),
      disqualifiedAt: momentOrNull(),
      disqualifiedReason: textOrNull(),
    }),
    () => {
      const id = pick(CALLS);
      return [
        { record: 'call', id, kind: 'demo', occurredAt: moment(), ownerId: 7, status: 'completed' },
        {
          record: 'callSummary',
          callId: id,
          summary: {
            headline: textOrNull(),
            painPoints: [pick(TEXTS)],
            topics: [{ label: pick(TEXTS), startSeconds: pick([null, 3]) }],
          },
        },
      ];
    },
    () => {
      const index = n();
      return {
        record: 'distribution',
        id: LINKS[index] as string,
        roomId: ROOMS[index] as string,
        recipientName: pick([null, 'Bob', 'ü€😀']),
        recipientEmail: pick([null, 'Bob@globex.example']),
        callId: pick(CALLS),
        forwardedFromDistributionId: pick([null, ...LINKS.slice(0, index)]),
      };
    },
    ...Array.from({ length: 3 }, () => () => {
      const index = n();
      return {
        record: 'event' as const,
        key: String(random(500)),
        type: nonEmpty().replaceAll(',', ' ').trim(),
        occurredAt: moment(),
        distributionId: LINKS[index] as string,
        metadata: pick([null, object(0), object(0)]),
        ...(random(2) === 0 && { docId: DOCUMENTS[index] ?? null }),
      };
    }),
    () => ({
      record: 'message',
      key: String(random(100)),
      roomId: ROOMS[0] as string,
      side: 'prospect',
      sentAt: moment(),
      distributionId: pick([null, LINKS[0] ?? null]),
    }),
    ...Array.from({ length: 2 }, () => () => {
      const index = n();
      return {
        record: 'view' as const,
        key: String(random(300)),
        distributionId: LINKS[index] as string,
        startedAt: '2026-09-01T10:00:00.120Z',
        endedAt: '2026-09-01T11:00:00Z',
        ...(random(2) === 0
          ? { docId: DOCUMENTS[index] ?? null, seconds: random(500) }
          : {
              segments: Array.from({ length: random(4) }, (): [number, number] => [
                random(9_000) / 1_000,
                9 + random(700_000) / 1_000,
              ]),
            }),
      };
    }),
  ];
  return Array.from({ length: 1 + random(25) }, () => pick(changes)()).flat();
}
