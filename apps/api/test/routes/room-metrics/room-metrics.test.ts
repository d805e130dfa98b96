import { capture, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import { addKey } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApi, type TestApi } from '../../test-api.ts';
import { comparable } from './comparable-metrics.ts';
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

test('lists the stakeholders of the People section first, then the others by the share link or the address', async () => {
  const roomId = uuid(9);
  const link = { record: 'distribution', roomId, recipientName: null } as const;
  await capture(
    api.db,
    { record: 'room', id: roomId, name: 'Globex' },
    { ...link, id: uuid(91), recipientEmail: 'bob@globex.example' },
    { ...link, id: uuid(92), recipientEmail: '0@globex.example' },
    { ...link, id: uuid(93), recipientEmail: null, recipientName: 'Front desk' },
    { record: 'member', roomId, name: 'Ann' },
    { record: 'member', roomId, email: 'zoe@globex.example' },
  );
  const { stakeholders } = await metricsOf(roomId);
  expect(
    stakeholders.map(({ email, name }: { email: string | null; name: string | null }) => email ?? name),
  ).toEqual(['zoe@globex.example', 'Ann', 'Front desk', '0@globex.example', 'bob@globex.example']);
});

test('counts a person with several links, in any letter case, once in the People section and the totals', async () => {
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
    // The best of one link: playback over another link does not add to it.
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

describe('a link whose recipient changes', () => {
  const startedAt = new Date(Date.now() - 40 * DAY_MS).toISOString();

  /**
   * Captures a room whose link was played 30 s by Ann and then 40 s by Ben. Returns a function that changes the recipient again.
   */
  async function playedByTwo(n: number) {
    const [roomId, callId, id, docId] = [uuid(n), uuid(n + 1), uuid(n + 2), uuid(n + 3)];
    const address = (recipientName: string | null, recipientEmail: string | null): ShortRecord => {
      return { record: 'distribution', id, roomId, recipientName, recipientEmail, callId };
    };
    const view = { record: 'view', distributionId: id, startedAt, endedAt: startedAt } as const;
    await capture(
      api.db,
      { record: 'room', id: roomId, name: 'Handed on' },
      { record: 'call', id: callId, kind: 'demo', occurredAt: startedAt, ownerId: 7, durationSeconds: 100 },
      { record: 'document', id: docId, roomId, title: 'Pricing', category: 'pricing' },
      address('Ann', 'ann@globex.example'),
      { ...view, key: `${n} ann`, segments: [[0, 30]] },
      { ...view, key: `${n} ann reads`, docId, seconds: 5 },
      { record: 'event', key: `${n} ann`, type: 'trailer_view', occurredAt: startedAt, distributionId: id },
      address('Ben', 'ben@globex.example'),
      { ...view, key: `${n} ben`, endedAt: new Date().toISOString(), segments: [[20, 60]] },
      { ...view, key: `${n} ben reads`, docId, seconds: 7 },
    );
    return { roomId, link: id, address };
  }

  test('keeps all activity with the original person', async () => {
    const { roomId, link } = await playedByTwo(40);
    const { stakeholders, trailers, assets, totals } = await metricsOf(roomId);
    const seen = { role: null, title: null, inCommittee: false, trailerCompletes: 0, roomVisits: 0 };
    expect(stakeholders).toEqual([
      expect.objectContaining({
        ...seen,
        email: 'ann@globex.example',
        name: 'Ann',
        status: 'dormant',
        trailerViews: 1,
        watchSeconds: 30,
        bestCompletionPercent: 30,
      }),
      expect.objectContaining({
        ...seen,
        email: 'ben@globex.example',
        name: 'Ben',
        status: 'engaged',
        trailerViews: 0,
        watchSeconds: 40,
        bestCompletionPercent: 40,
      }),
    ]);
    expect(totals).toMatchObject({ watchSeconds: 70, bestCompletionPercent: 40, silentPeople: 0 });
    expect(trailers).toEqual([
      expect.objectContaining({ recipients: 2, views: 2, watchSeconds: 70, bestCompletionPercent: 40 }),
    ]);
    const viewer = { distributionId: link, sessions: 1, lastViewedAt: startedAt };
    expect(assets).toEqual([
      expect.objectContaining({
        uniqueViewers: 2,
        totalSeconds: 12,
        viewers: [
          { ...viewer, email: 'ann@globex.example', name: 'Ann', seconds: 5 },
          { ...viewer, email: 'ben@globex.example', name: 'Ben', seconds: 7 },
        ],
      }),
    ]);
  });

  test('has the heat-map of everyone who used it, and the name of its current recipient', async () => {
    const { link } = await playedByTwo(50);
    const { body } = await api.get(`/distributions/${link}/heatmap`, key).expect(200);
    expect(body.data).toMatchObject({
      actor: { name: 'Ben', email: 'ben@globex.example' },
      views: 2,
      watchSeconds: 70,
      bestCompletionPercent: 60,
    });
  });

  test('shows the newest name of each address, and no one who was addressed by mistake', async () => {
    const { roomId, address } = await playedByTwo(60);
    await capture(api.db, address('Ms Ann', 'ANN@globex.example'));
    await capture(api.db, address('Typo', 'typo@globex.example'));
    await capture(api.db, address(null, 'ben@globex.example'), address('Benjamin', 'ben@globex.example'));
    const { stakeholders } = await metricsOf(roomId);
    expect(stakeholders.map(({ email, name }: { email: string; name: string }) => [email, name])).toEqual([
      ['ann@globex.example', 'Ms Ann'],
      ['ben@globex.example', 'Benjamin'],
    ]);
  });
});

test('returns the signing status of the contract with the latest event', async () => {
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
    const compared = comparable(metrics, plain);
    expect(compared.metrics).toEqual(compared.plain);
  },
);
