import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../../test-api.ts';
import { plainRoomMetrics } from './plain-room-metrics.ts';
import { randomRoom } from './random-room.ts';

const DAY_MS = 86_400_000;

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await openTestApi();
  await capture(
    api.db,
    { record: 'company', id: 1, name: 'Acme' },
    { record: 'user', id: 7, name: 'Ann', email: 'ann@acme.example' },
  );
  key = await addKey(api.db, 1);
});
afterAll(() => api.close());

async function metricsOf(roomId: string) {
  const { status, body } = await api.get(`/decision-rooms/${roomId}/metrics`, key);
  expect(status).toBe(200);
  return body.data;
}

test('an empty room has the score 0 and empty lists', async () => {
  await capture(api.db, { record: 'room', id: uuid(1), name: 'Quiet' });
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

test('a person with several links, in any letter case, counts once in the People section and the totals', async () => {
  const roomId = uuid(2);
  const occurredAt = new Date(Date.now() - DAY_MS).toISOString();
  const link = (n: number, recipientEmail: string | null, recipientName: string): ShortRecord => {
    return { record: 'distribution', roomId, id: uuid(n), recipientName, recipientEmail, callId: uuid(20) };
  };
  await capture(
    api.db,
    { record: 'room', id: roomId, name: 'Busy' },
    {
      record: 'call',
      id: uuid(20),
      kind: 'demo',
      occurredAt,
      ownerId: 7,
      durationSeconds: 100,
    },
    { record: 'member', roomId, email: 'BOB@globex.example', name: 'Bob', role: 'Champion', title: 'CTO' },
    { record: 'member', roomId, name: 'Legal desk' },
    link(21, 'bob@globex.example', 'Robert'),
    link(22, 'Bob@Globex.example', 'B.'),
    link(23, null, 'Nameless inbox'),
    link(24, null, 'Nameless inbox'),
    { record: 'event', key: 'a', type: 'trailer_view', occurredAt, distributionId: uuid(21) },
    { record: 'event', key: 'b', type: 'trailer_view', occurredAt, distributionId: uuid(22) },
    { record: 'event', key: 'c', type: 'comment', occurredAt, distributionId: uuid(23) },
    {
      record: 'view',
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
      key: 'w',
      distributionId: uuid(22),
      startedAt: occurredAt,
      endedAt: occurredAt,
      segments: [[40, 90]],
    },
  );
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
    // The best of one link: what was watched over another link does not add to it.
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

test('the status of signing is that of the contract with the latest event', async () => {
  const roomId = uuid(3);
  const contract = { record: 'esign', roomId, vendor: 'v', envelopeId: 'e' } as const;
  await capture(
    api.db,
    { record: 'room', id: roomId, name: 'Signing' },
    { ...contract, id: 'a', status: 'voided' },
    { ...contract, id: 'b', status: 'completed', lastEventAt: '2026-09-02T10:00:00Z' },
    { ...contract, id: 'c', status: 'sent', lastEventAt: '2026-09-01T10:00:00Z' },
  );
  const { esign } = await metricsOf(roomId);
  expect(esign.status).toBe('completed');
  expect(esign.documents.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
});

test.each(Array.from({ length: 30 }, (_, n) => 100 + n))(
  'the metrics of a random room agree with a plain calculation over its rows: seed %d',
  async (seed) => {
    const roomId = uuid(seed * 1_000 + 999);
    await capture(api.db, ...randomRoom(seed, roomId));
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
    // People without an email cannot be matched by name, so both sides are compared as sorted lists.
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
  },
);
