import type { ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';

const DAY_MS = 86_400_000;
const TYPES = [
  'trailer_view',
  'trailer_complete',
  'doc_open',
  'doc_download',
  'room_visit',
  'map_checkoff',
  'comment',
  'forward',
];
const EMAILS = [
  'bob@globex.example',
  'Bob@Globex.example',
  'EVE@globex.example',
  'eve@globex.example',
  'carl@globex.example',
  null,
];

/** Returns a random room and everything in it, the same for the same seed. */
export function randomRoom(seed: number, roomId: string): ShortRecord[] {
  const random = randomNumbers(seed);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  // Half days keep every age away from the limits of the score, which have a test of their own.
  const moment = () => new Date(Date.now() - (random(45) + 0.5) * DAY_MS).toISOString();
  const id = (n: number) => uuid(seed * 1_000 + n);
  const calls = [0, 1, 2].map((n) => id(n));
  const links = Array.from({ length: 1 + random(6) }, (_, n) => id(100 + n));
  const documents = Array.from({ length: random(4) }, (_, n) => id(200 + n));
  const records: ShortRecord[] = [
    { record: 'room', id: roomId, name: `Room ${seed}` },
    ...calls.map((callId, n): ShortRecord => {
      const durationSeconds = n === 0 ? null : 1 + random(300);
      return {
        record: 'call',
        id: callId,
        kind: 'demo',
        occurredAt: moment(),
        ownerId: 7,
        title: `Call ${n}`,
        durationSeconds,
      };
    }),
  ];
  for (let n = random(4); n > 0; n -= 1) {
    const address = pick(EMAILS);
    records.push({
      record: 'member',
      roomId,
      email: address,
      name: `Member ${n}`,
      role: pick(['Champion', null]),
    });
  }
  for (const [n, link] of links.entries()) {
    records.push({
      record: 'distribution',
      id: link,
      roomId,
      recipientName: `Recipient ${n}`,
      recipientEmail: pick(EMAILS),
      callId: random(4) === 0 ? null : pick(calls),
      forwardedFromDistributionId: n > 0 && random(3) === 0 ? links[n - 1] : null,
    });
  }
  for (const document of documents) {
    records.push({
      record: 'document',
      id: document,
      roomId,
      title: `Doc ${random(5)}`,
      category: 'c',
      uploadedByProspect: random(2) === 0,
    });
  }
  const withCall = new Set(records.flatMap((r) => (r.record === 'distribution' && r.callId ? [r.id] : [])));
  for (let n = random(40); n > 0; n -= 1) {
    const type = pick(TYPES);
    const docId = type.startsWith('doc_') && documents.length > 0 ? pick(documents) : null;
    records.push({
      record: 'event',
      key: `${seed} ${n}`,
      type,
      occurredAt: moment(),
      distributionId: pick(links),
      docId,
    });
  }
  for (let n = random(15); n > 0; n -= 1) {
    const distributionId = pick(links);
    const startedAt = moment();
    const view = {
      record: 'view',
      key: `${seed} ${n}`,
      distributionId,
      startedAt,
      endedAt: new Date(Date.parse(startedAt) + 60_000).toISOString(),
    } as const;
    if (withCall.has(distributionId) && random(3) > 0) {
      const segments = Array.from({ length: random(5) }, (): [number, number] => {
        const from = random(1_200) / 4;
        return [from, from + random(320) / 4];
      });
      records.push({ ...view, segments });
    } else if (documents.length > 0) {
      records.push({ ...view, docId: pick(documents), seconds: random(500) });
    }
  }
  for (let n = random(6); n > 0; n -= 1) {
    const completedAt = random(2) === 0 ? moment() : null;
    records.push({
      record: 'actionItem',
      id: id(300 + n),
      roomId,
      title: 'x',
      dueDate: pick([null, '2020-01-01', '2099-01-01', new Date().toISOString().slice(0, 10)]),
      completedAt,
      completedBy: completedAt ? pick(['prospect', 'seller', null] as const) : null,
    });
  }
  for (let n = random(6); n > 0; n -= 1) {
    const side = pick(['prospect', 'seller'] as const);
    records.push({
      record: 'message',
      key: `${seed} ${n}`,
      roomId,
      side,
      sentAt: moment(),
      distributionId: random(3) === 0 ? null : pick(links),
    });
  }
  for (let n = random(3); n > 0; n -= 1) {
    records.push({
      record: 'esign',
      id: `${seed} ${n}`,
      roomId,
      vendor: 'v',
      envelopeId: 'e',
      status: pick(['sent', 'viewed', 'completed']),
      lastEventAt: moment(),
    });
  }
  return records;
}
