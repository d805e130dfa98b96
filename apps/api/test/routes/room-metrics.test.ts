import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord, type CaptureInput } from '@deal-signals/capture/record';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../test-api.ts';
import { plainRoomMetrics } from './plain-room-metrics.ts';

const DAY_MS = 86_400_000;

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await capture([
    { record: 'company', id: 1, name: 'Acme' },
    { record: 'user', companyId: 1, id: 7, name: 'Ann', email: 'ann@acme.example' },
  ]);
  key = await addKey(api.db, 1);
});
afterAll(() => api.close());

function capture(records: CaptureInput[]): Promise<void> {
  return captureRecords(
    api.db,
    records.map((record) => captureRecord.parse(record)),
  );
}

async function metricsOf(roomId: string) {
  const { status, body } = await api.get(`/decision-rooms/${roomId}/metrics`, key);
  expect(status).toBe(200);
  return body.data;
}

test('an empty room scores nothing and lists nothing', async () => {
  await capture([{ record: 'room', companyId: 1, id: uuid(1), name: 'Quiet' }]);
  const metrics = await metricsOf(uuid(1));
  const { body } = await api.get(`/decision-rooms/${uuid(1)}`, key);
  expect(metrics).toEqual({
    room: body.data,
    engagementScore: 0,
    totals: {
      events: 0,
      engagedPeople: 0,
      silentPeople: 0,
      trailerViews: 0,
      watchSeconds: 0,
      bestCompletionPercent: 0,
      docsOpened: 0,
      lastActivityAt: null,
    },
    stakeholders: [],
    trailers: [],
    assets: [],
    actionPlan: { total: 0, done: 0, doneByProspect: 0, overdue: 0, lastCompletedAt: null },
    conversation: { prospectMessages: 0, sellerMessages: 0, lastMessageAt: null },
    esign: { status: null, documents: [] },
  });
});

test('one person over several links, with differing letter case, in the People section and in events, is one', async () => {
  const roomId = uuid(2);
  const room = { companyId: 1, roomId };
  const occurredAt = new Date(Date.now() - DAY_MS).toISOString();
  const link = (n: number, recipientEmail: string | null, recipientName: string): CaptureInput => {
    return { record: 'distribution', ...room, id: uuid(n), recipientName, recipientEmail, callId: uuid(20) };
  };
  await capture([
    { record: 'room', companyId: 1, id: roomId, name: 'Busy' },
    {
      record: 'call',
      companyId: 1,
      id: uuid(20),
      kind: 'demo',
      occurredAt,
      ownerId: 7,
      durationSeconds: 100,
    },
    { record: 'member', ...room, email: 'BOB@globex.example', name: 'Bob', role: 'Champion', title: 'CTO' },
    { record: 'member', ...room, name: 'Legal desk' },
    link(21, 'bob@globex.example', 'Robert'),
    link(22, 'Bob@Globex.example', 'B.'),
    link(23, null, 'Nameless inbox'),
    link(24, null, 'Nameless inbox'),
    { record: 'event', companyId: 1, key: 'a', type: 'trailer_view', occurredAt, distributionId: uuid(21) },
    { record: 'event', companyId: 1, key: 'b', type: 'trailer_view', occurredAt, distributionId: uuid(22) },
    { record: 'event', companyId: 1, key: 'c', type: 'comment', occurredAt, distributionId: uuid(23) },
    {
      record: 'view',
      companyId: 1,
      key: 'v',
      distributionId: uuid(21),
      startedAt: occurredAt,
      endedAt: occurredAt,
      segments: [
        [0, 40],
        [20, 50],
      ],
    },
    {
      record: 'view',
      companyId: 1,
      key: 'w',
      distributionId: uuid(22),
      startedAt: occurredAt,
      endedAt: occurredAt,
      segments: [[40, 90]],
    },
  ]);
  const metrics = await metricsOf(roomId);
  expect(metrics.stakeholders).toHaveLength(4);
  const bob = metrics.stakeholders.find((person: { email: string }) => person.email === 'bob@globex.example');
  expect(bob).toMatchObject({
    name: 'Bob',
    role: 'Champion',
    title: 'CTO',
    inCommittee: true,
    status: 'engaged',
    trailerViews: 2,
    watchSeconds: 120,
    // Of one link: what another link watched does not add to it.
    bestCompletionPercent: 50,
  });
  expect(metrics.totals).toMatchObject({
    events: 3,
    engagedPeople: 2,
    silentPeople: 2,
    bestCompletionPercent: 50,
  });
  expect(metrics.trailers).toEqual([expect.objectContaining({ recipients: 3, views: 2, watchSeconds: 120 })]);
});

test('the contract that was touched last says how signing stands', async () => {
  const roomId = uuid(3);
  const contract = { record: 'esign', companyId: 1, roomId, vendor: 'v', envelopeId: 'e' } as const;
  await capture([
    { record: 'room', companyId: 1, id: roomId, name: 'Signing' },
    { ...contract, id: 'a', status: 'voided' },
    { ...contract, id: 'b', status: 'completed', lastEventAt: '2026-09-02T10:00:00Z' },
    { ...contract, id: 'c', status: 'sent', lastEventAt: '2026-09-01T10:00:00Z' },
  ]);
  const { esign } = await metricsOf(roomId);
  expect(esign.status).toBe('completed');
  expect(esign.documents.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
});

describe('agrees with a plain reading of the raw rows', () => {
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

  function generate(seed: number, roomId: string): CaptureInput[] {
    let state = seed;
    const random = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit;
    const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
    // Half days keep every age away from the edges of the score, which have a test of their own.
    const moment = () => new Date(Date.now() - (random(45) + 0.5) * DAY_MS).toISOString();
    const id = (n: number) => uuid(seed * 1_000 + n);
    const calls = [0, 1, 2].map((n) => id(n));
    const links = Array.from({ length: 1 + random(6) }, (_, n) => id(100 + n));
    const documents = Array.from({ length: random(4) }, (_, n) => id(200 + n));
    const base = { companyId: 1 };
    const records: CaptureInput[] = [
      { record: 'room', ...base, id: roomId, name: `Room ${seed}` },
      ...calls.map((callId, n): CaptureInput => {
        const durationSeconds = n === 0 ? null : 1 + random(300);
        return {
          record: 'call',
          ...base,
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
        ...base,
        roomId,
        email: address,
        name: `Member ${n}`,
        role: pick(['Champion', null]),
      });
    }
    for (const [n, link] of links.entries()) {
      records.push({
        record: 'distribution',
        ...base,
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
        ...base,
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
        ...base,
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
        ...base,
        key: `${seed} ${n}`,
        distributionId,
        startedAt,
        endedAt: new Date(Date.parse(startedAt) + 60_000).toISOString(),
      } as const;
      if (withCall.has(distributionId) && random(3) > 0) {
        const segments = Array.from({ length: random(5) }, (): [number, number] => {
          const from = random(300);
          return [from, from + random(80)];
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
        ...base,
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
        ...base,
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
        ...base,
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

  test.each(Array.from({ length: 30 }, (_, n) => 100 + n))('generated room %d', async (seed) => {
    const roomId = uuid(seed * 1_000 + 999);
    await capture(generate(seed, roomId));
    const metrics = await metricsOf(roomId);
    const plain = await plainRoomMetrics(api.db, 1, roomId, new Date());
    const byId = <T extends { id: string }>(items: T[]) => items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect({ ...metrics.totals, engagementScore: metrics.engagementScore }).toEqual({
      ...plain.totals,
      engagementScore: plain.engagementScore,
    });
    expect(byId(metrics.trailers)).toEqual(plain.trailers);
    expect(byId(metrics.assets)).toEqual(plain.assets);
    expect(metrics.actionPlan).toEqual(plain.actionPlan);
    expect(metrics.conversation).toEqual(plain.conversation);
    expect(metrics.esign.status).toBe(plain.esignStatus);
    expect(metrics.esign.documents.map(({ id }: { id: string }) => id)).toEqual(plain.esignDocuments);
    // People without an address have no name to sort by in the answer, so both sides are compared as sorted lists.
    const comparable = (people: Record<string, unknown>[]) =>
      people
        .map(({ email: _email, name: _name, who: _who, ...rest }) =>
          JSON.stringify(rest, Object.keys(rest).toSorted()),
        )
        .toSorted();
    expect(comparable(metrics.stakeholders)).toEqual(comparable(plain.stakeholders));
    const emails = (people: { email: string | null }[]) =>
      people.flatMap(({ email }) => email ?? []).toSorted();
    expect(emails(metrics.stakeholders)).toEqual(
      plain.stakeholders
        .map(({ who }) => who)
        .filter((who) => who.includes('@'))
        .toSorted(),
    );
  });
});
