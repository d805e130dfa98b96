import { CALL, capture, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { expect, test } from '@jest/globals';
import { capturedDatabase } from './captured-database.ts';
import { recordedTypes, recordWithKey } from './records.ts';

const database = capturedDatabase();

test.each([
  ['status', { status: 'won' }],
  ['deal value', { dealValueCents: 7 }],
  ['close date', { expectedCloseDate: '2027-01-31' }],
  ['primary contact', { primaryContactEmail: 'eve@globex.example' }],
] as const)('a room whose %s changes records an event', async (_field, change) => {
  await addEndpoint(database.db);
  await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', ...change });
  expect(await recordedTypes(database.db)).toEqual(['decision_room.updated']);
});

test('a new room, a renamed one and an unchanged one record no event', async () => {
  await addEndpoint(database.db);
  await capture(
    database.db,
    { record: 'room', id: uuid(9), name: 'Initech', status: 'won' },
    { record: 'room', id: ROOM, name: 'Globex Corp', slug: 'globex' },
    { record: 'room', id: ROOM, name: 'Globex Corp', status: 'open', dealValueCents: 5_000_000_000 },
  );
  expect(await recordedTypes(database.db)).toEqual([]);
});

test('the first summary of a call and every different one record an event', async () => {
  await addEndpoint(database.db);
  for (const headline of ['first', 'first', 'second']) {
    await capture(database.db, { record: 'callSummary', callId: CALL, summary: { headline } });
  }
  expect(await recordedTypes(database.db)).toEqual(['call.summary.created', 'call.summary.created']);
});

test('the first status of a contract and every change of it record an event, a new subject does not', async () => {
  await addEndpoint(database.db);
  const contract = { record: 'esign', id: 'c', roomId: ROOM, vendor: 'v', envelopeId: 'e' } as const;
  await capture(database.db, { ...contract, status: 'sent' });
  await capture(database.db, { ...contract, status: 'sent', subject: 'Order form' });
  await capture(database.db, { ...contract, status: 'viewed' });
  expect(await recordedTypes(database.db)).toEqual([
    'decision_room.esign.updated',
    'decision_room.esign.updated',
  ]);
});

test("a prospect's message is engagement, a seller's message is not", async () => {
  await addEndpoint(database.db);
  await capture(database.db, recordWithKey('m1'), recordWithKey('m2'));
  expect(await recordedTypes(database.db)).toEqual(['engagement.recorded']);
  const [event] = await database.db.engagementEvent.findMany();
  expect(event).toMatchObject({ type: 'message', actorEmail: 'bob@globex.example', buyerSpaceId: ROOM });
});

test('each enabled endpoint that subscribes gets a delivery, and all of them the same event', async () => {
  const all = await addEndpoint(database.db);
  const rooms = await addEndpoint(database.db, { events: ['decision_room.updated'] });
  await addEndpoint(database.db, { enabled: false });
  await capture(database.db, { record: 'room', id: ROOM, name: 'Globex', status: 'lost' });
  await capture(database.db, recordWithKey('e1'));
  const deliveries = await database.db.webhookDelivery.findMany({ orderBy: { id: 'asc' } });
  expect(deliveries.map(({ endpointId, eventType }) => [endpointId, eventType])).toEqual([
    [all, 'decision_room.updated'],
    [rooms, 'decision_room.updated'],
    [all, 'engagement.recorded'],
  ]);
  expect(new Set(deliveries.slice(0, 2).map(({ eventId }) => eventId)).size).toBe(1);
  for (const { createdAt, nextAttemptAt, ready, status } of deliveries) {
    expect({ nextAttemptAt, ready, status }).toEqual({
      nextAttemptAt: createdAt,
      ready: true,
      status: 'pending',
    });
  }
});

test('a workspace whose API is switched off records no event', async () => {
  await addEndpoint(database.db);
  await capture(
    database.db,
    { record: 'company', id: COMPANY, name: 'Acme', apiEnabled: false },
    { record: 'room', id: ROOM, name: 'Globex', status: 'lost' },
  );
  expect(await recordedTypes(database.db)).toEqual([]);
});
