import { until } from '@deal-signals/test-kit/until';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { capture, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { expect, test } from '@jest/globals';
import { captureRecords } from '../src/stream/capture-records.ts';
import { type CaptureInput, captureRecord } from '../src/records/record.ts';
import { capturedDatabase } from './captured-database.ts';
import { everything, snapshot } from './records.ts';

const database = capturedDatabase();

test('a transaction that fails leaves neither the change nor a delivery', async () => {
  await addEndpoint(database.db);
  const before = await snapshot(database.db);
  // The outbox is written last, so an insert that fails there must roll the business change back.
  await database.db.$executeRaw`ALTER TABLE pending_deliveries ADD CONSTRAINT broken CHECK (id < 0)`;
  await expect(capture(database.db, ...everything)).rejects.toThrow(/broken/);
  expect(await snapshot(database.db)).toEqual(before);
  expect([await database.db.webhookEvent.count(), await database.db.webhookDeliverySubject.count()]).toEqual([
    0, 0,
  ]);
});

test('several batches of several workspaces are written completely, in order within each workspace', async () => {
  const records: CaptureInput[] = [
    { record: 'company', id: 2, name: 'Other' },
    { record: 'room', companyId: 2, id: ROOM, name: 'Elsewhere' },
    {
      record: 'distribution',
      companyId: 2,
      id: LINK,
      roomId: ROOM,
      recipientName: 'x',
      recipientEmail: null,
    },
  ];
  for (let n = 0; n < 1_500; n += 1) {
    for (const companyId of [1, 2]) {
      records.push({
        record: 'event',
        companyId,
        key: `k${n}`,
        type: 't',
        occurredAt: '2026-01-01',
        distributionId: LINK,
      });
    }
  }
  const commits: number[] = [];
  await captureRecords(
    database.db,
    records.map((record) => captureRecord.parse(record)),
    (count) => commits.push(count),
  );
  expect(commits).toEqual([1, 1_000, 1_000, 502, 500]);
  for (const companyId of [1, 2]) {
    const events = await database.db.engagementEvent.findMany({
      where: { companyId },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ key }) => key)).toEqual(Array.from({ length: 1_500 }, (_, n) => `k${n}`));
  }
});

test('a change of a company waits for the feed clock without holding the row of the company', async () => {
  const { db } = database;
  let change: Promise<void> | undefined;
  await inFeedTransaction(db, COMPANY, async ({ tx }) => {
    change = captureRecords(db, [
      captureRecord.parse({ record: 'company', id: COMPANY, name: 'Acme Renamed' }),
    ]);
    await until('the change to wait for the clock', async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    await tx.$executeRaw`SET LOCAL lock_timeout = 5000`;
    await tx.company.update({ where: { id: COMPANY }, data: { name: 'Acme' } });
  });
  await change;
  expect(await db.company.findUnique({ where: { id: COMPANY } })).toMatchObject({ name: 'Acme Renamed' });
});

test('a record that another transaction stores while this one waits for the feed clock is recorded once', async () => {
  const { db } = database;
  const record = {
    record: 'event',
    key: 'twice',
    type: 'comment',
    occurredAt: '2026-09-02',
    distributionId: LINK,
  } as const;
  let waiting: Promise<void> | undefined;
  await inFeedTransaction(db, COMPANY, async ({ tx, takeIds }) => {
    waiting = capture(db, record);
    await until('the capture to wait for the clock', async () => {
      const sessions = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return sessions.length > 0;
    });
    await tx.$executeRaw`
      INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, identity, buyer_space_id, distribution_id,
        object_text)
      VALUES (${COMPANY}, ${takeIds('engagement_events', 1)}, 'event', ${record.key}, ${record.type}, now(), ${`link:${LINK}`},
              ${ROOM}::uuid, ${LINK}::uuid, '{}')`;
  });
  await waiting;
  expect(await db.engagementEvent.count({ where: { key: record.key } })).toBe(1);
});
