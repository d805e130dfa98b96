import type { ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import type { randomNumbers } from '@deal-signals/test-kit/worlds/random';

const DAY_MS = 86_400_000;
const TYPES = ['trailer_view', 'trailer_complete', 'doc_open', 'doc_download', 'room_visit', 'comment', 'x'];
const RECIPIENTS: [string | null, string | null][] = [
  ['Bob', 'bob@globex.example'],
  ['Robert', 'Bob@Globex.example'],
  ['Eve', 'eve@globex.example'],
  [null, 'EVE@globex.example'],
  ['Carl', 'carl@globex.example'],
  ['Front desk', null],
];

/** The rooms that the changes affect. */
export const ROOMS = [uuid(1), uuid(2)];
/** Every share link that a change may create. */
export const LINKS = [0, 1, 2, 3, 4, 5].map((n) => uuid(100 + n));
const CALLS = [0, 1, 2].map((n) => uuid(200 + n));
const DOCUMENTS = [0, 1, 2].map((n) => uuid(300 + n));
// Objects of a room stay there: even numbers belong to the first one.
const roomOf = (n: number) => ROOMS[n % 2] as string;

/** The objects that all others refer to. */
export function firstRecords(): ShortRecord[] {
  return [
    ...ROOMS.map((id): ShortRecord => ({ record: 'room', id, name: 'Room' })),
    ...CALLS.map((id, n): ShortRecord => ({
      record: 'call',
      id,
      kind: 'demo',
      occurredAt: '2026-09-01',
      ownerId: 7,
      durationSeconds: [null, 90, 700][n] ?? null,
    })),
    ...DOCUMENTS.map((id, n): ShortRecord => ({
      record: 'document',
      id,
      roomId: roomOf(n),
      title: `Document ${n}`,
      category: 'c',
    })),
    ...LINKS.map((id, n): ShortRecord => ({
      record: 'distribution',
      id,
      roomId: roomOf(n),
      recipientName: `First ${n}`,
      recipientEmail: `first-${n}@globex.example`,
      callId: CALLS[n % 3] ?? null,
    })),
  ];
}

/** Returns a random batch of changes. Some keys are repeated, so some records are ignored. */
export function randomChanges(random: ReturnType<typeof randomNumbers>): ShortRecord[] {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const moment = () => new Date(Date.now() - (random(45) + 0.5) * DAY_MS).toISOString();
  const at = moment();
  // Players report fractions of a second. Quarters are exact in binary.
  const fraction = (below: number) => random(below * 4) / 4;

  const changes: (() => ShortRecord)[] = [
    () => ({
      record: 'call',
      id: pick(CALLS),
      kind: 'demo',
      occurredAt: '2026-09-01',
      ownerId: 7,
      durationSeconds: pick([null, 0, 1, 90, 401, 700, 3_000]),
    }),
    () => {
      const n = random(LINKS.length);
      const [recipientName, recipientEmail] = pick(RECIPIENTS);
      return {
        record: 'distribution',
        id: LINKS[n] as string,
        roomId: roomOf(n),
        recipientName,
        recipientEmail,
        ...(random(2) === 0 && { callId: pick(CALLS) }),
        ...(n > 1 && random(3) === 0 && { forwardedFromDistributionId: LINKS[n - 2] ?? null }),
      };
    },
    () => ({
      record: 'member',
      roomId: pick(ROOMS),
      email: pick(RECIPIENTS)[1],
      name: `Member ${random(3)}`,
      role: pick(['Champion', null]),
    }),
    () => ({
      record: 'message',
      key: String(random(200)),
      roomId: ROOMS[0] as string,
      side: pick(['prospect', 'seller'] as const),
      sentAt: moment(),
      distributionId: pick([null, LINKS[0] ?? null, LINKS[2] ?? null]),
    }),
    ...Array.from({ length: 4 }, () => () => {
      const n = random(LINKS.length);
      const type = pick(TYPES);
      return {
        record: 'event' as const,
        key: String(random(500)),
        type,
        occurredAt: moment(),
        distributionId: LINKS[n] as string,
        ...(type.startsWith('doc_') &&
          random(4) > 0 && { docId: DOCUMENTS[n % 2 === 0 ? random(2) * 2 : 1] }),
      };
    }),
    ...Array.from({ length: 4 }, () => () => {
      const n = random(LINKS.length);
      const view = {
        record: 'view' as const,
        key: String(random(300)),
        distributionId: LINKS[n] as string,
        startedAt: at,
        endedAt: new Date(Date.parse(at) + random(1_000) * 1_000).toISOString(),
      };
      if (random(4) === 0) return { ...view, docId: DOCUMENTS[n % 2 === 0 ? 0 : 1], seconds: random(500) };
      const segments: [number, number][] = [];
      for (let left = random(6); left > 0; left -= 1) {
        const from = random(3) === 0 ? (segments.at(-1)?.[1] ?? 0) : fraction(pick([5, 90, 800]));
        segments.push([from, from + fraction(pick([4, 40, 400]))]);
      }
      return { ...view, segments };
    }),
  ];
  return Array.from({ length: 1 + random(40) }, () => pick(changes)());
}
