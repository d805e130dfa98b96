import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { captureRecord } from '@deal-signals/capture/records/record';
import type { Database } from '@deal-signals/db/database';
import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { until } from '@deal-signals/test-kit/until';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { demoRecords, workspaceInputs } from '../src/quarter/dataset.ts';
import { DEMO_SEED, seedDemo } from '../src/quarter/seed.ts';
import { WORKSPACES } from '../src/quarter/workspaces.ts';
import { startSimulation } from '../src/story/simulation.ts';
import type { StoryStep } from '../src/story/story.ts';

let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterEach(() => database.drop());

/** Returns what the demo stored, as far as the feeds show it. */
async function snapshot() {
  return {
    rooms: await db.room.findMany({ orderBy: { id: 'asc' } }),
    calls: await db.call.findMany({ orderBy: { id: 'asc' } }),
    events: await db.engagementEvent.findMany({ orderBy: { id: 'asc' } }),
    views: await db.engagementView.count(),
    messages: await db.message.count(),
    contracts: await db.esignDocument.findMany({ orderBy: { id: 'asc' } }),
  };
}

describe('seedDemo', () => {
  test('captures the whole quarter once, and records no event when the same records are captured again', async () => {
    expect(await seedDemo(db)).toEqual([
      { id: 1001, name: 'Lanternfell Software' },
      { id: 1002, name: 'Pebblewright' },
    ]);
    const first = await snapshot();
    expect(first.rooms).toHaveLength(30);
    expect(first.calls).toHaveLength(150);
    expect(first.events.length).toBeGreaterThan(3000);
    expect(await db.webhookEvent.count()).toBe(0);

    await addEndpoint(db, { companyId: 1001 });
    const { createdAt: now } = await db.company.findUniqueOrThrow({ where: { id: 1001 } });
    const again = Array.from(demoRecords({ seed: DEMO_SEED, now }), (record) => captureRecord.parse(record));
    await captureRecords(db, again);
    expect(await snapshot()).toEqual(first);
    expect(await db.webhookEvent.count()).toBe(0);

    await db.room.updateMany({ where: { companyId: 1001 }, data: { name: 'renamed since' } });
    const changed = await snapshot();
    await seedDemo(db);
    expect(await snapshot()).toEqual(changed);
  });

  test('completes an interrupted seeding, with its dates', async () => {
    let batches = 0;
    const cut = seedDemo(db, () => {
      batches += 1;
      if (batches === 3) throw new Error('cut short');
    });
    await expect(cut).rejects.toThrow('cut short');
    const { rooms } = await snapshot();
    expect(rooms.length).toBeGreaterThan(0);

    await seedDemo(db);
    const { createdAt } = await db.company.findUniqueOrThrow({ where: { id: 1001 } });
    const expected = [...demoRecords({ seed: DEMO_SEED, now: createdAt })];
    const messages = expected.filter((record) => record.record === 'message');
    const fromBuyers = messages.filter(({ side }) => side === 'prospect');
    const events = expected.filter((record) => record.record === 'event');
    const stored = await snapshot();
    expect(stored.messages).toBe(messages.length);
    expect(stored.events).toHaveLength(events.length + fromBuyers.length);
    expect(stored.views).toBe(expected.filter((record) => record.record === 'view').length);
  });

  test("leaves another company's workspace alone", async () => {
    await captureRecords(db, [captureRecord.parse({ record: 'company', id: 1002, name: 'A real customer' })]);
    await expect(seedDemo(db)).rejects.toThrow('1002');
    expect(await db.company.findMany({ select: { id: true, name: true } })).toEqual([
      { id: 1002, name: 'A real customer' },
    ]);
  });
});

describe('startSimulation', () => {
  beforeEach(async () => {
    const owners = WORKSPACES.flatMap(workspaceInputs).map((record) => captureRecord.parse(record));
    await captureRecords(db, owners);
    await addEndpoint(db, { companyId: 1001 });
  });

  test('causes a webhook of each type within its first six steps, and can be stopped', async () => {
    const steps: StoryStep[] = [];
    const errors: unknown[] = [];
    const simulation = startSimulation({
      db,
      companyId: 1001,
      intervalMs: 5,
      onStep: (step) => steps.push(step),
      onError: (error) => errors.push(error),
    });
    await until('six steps', () => steps.length >= 6);
    await simulation.stop();
    const told = steps.length;
    expect(errors).toEqual([]);
    const types = await db.webhookEvent.groupBy({ by: ['type'], orderBy: { type: 'asc' } });
    expect(types.map(({ type }) => type)).toEqual([
      'call.recorded',
      'call.summary.created',
      'decision_room.created',
      'decision_room.esign.updated',
      'decision_room.updated',
      'engagement.recorded',
      'engagement.view.recorded',
    ]);
    const events = await db.webhookEvent.count();
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toHaveLength(told);
    expect(await db.webhookEvent.count()).toBe(events);
  });

  test('captures whole sales until they are won, one after another', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const simulation = startSimulation({ db, companyId: 1001, intervalMs: 1, onError });
    await until('two rooms won', async () => (await db.room.count({ where: { status: 'won' } })) >= 2);
    await simulation.stop();
    expect(errors).toEqual([]);
    const contracts = await db.esignDocument.findMany({ where: { status: 'completed' } });
    expect(contracts.length).toBeGreaterThanOrEqual(2);
    for (const contract of contracts) {
      expect(contract).toMatchObject({ sentAt: expect.any(Date), firstViewedAt: expect.any(Date) });
    }
  });

  test('reports a database error and continues at the same step', async () => {
    const titles: string[] = [];
    const errors: unknown[] = [];
    const simulation = startSimulation({
      db,
      companyId: 1001,
      intervalMs: 5,
      onStep: ({ title }) => titles.push(title),
      onError: (error) => errors.push(error),
    });
    await until('a step', () => titles.length >= 1);
    await db.$executeRaw`ALTER TABLE engagement_events RENAME TO engagement_events_away`;
    await until('an error', () => errors.length >= 2);
    const before = titles.length;
    await db.$executeRaw`ALTER TABLE engagement_events_away RENAME TO engagement_events`;
    await until('the story to go on', () => titles.length >= before + 18);
    await simulation.stop();
    const { companyId, id } = await db.room.findFirstOrThrow({ orderBy: { createdAt: 'asc' } });
    const events = await db.engagementEvent.findMany({ where: { companyId, buyerSpaceId: id } });
    const types = new Set(events.map(({ type }) => type));
    expect([...types].toSorted().join(' ')).toBe(
      'comment doc_download doc_open forward map_checkoff message room_visit trailer_complete trailer_view',
    );
  });

  test('rejects workspaces that are not demo workspaces', () => {
    expect(() => startSimulation({ db, companyId: 7, onError: () => {} })).toThrow('workspace 7');
  });
});
