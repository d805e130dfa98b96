import { setTimeout as pause } from 'node:timers/promises';
import { captureBatch } from '@deal-signals/capture/transaction/capture-batch';
import { captureRecord } from '@deal-signals/capture/records/record';
import type { Database } from '@deal-signals/db/database';
import { watchStatements } from '@deal-signals/test-kit/databases/watched-statements';
import { CALL, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { expect } from '@jest/globals';
import { DATA_FEEDS } from 'deal-signals/feeds/feeds';
import type { Poller } from './poller.ts';

/** The amount of data that the writers write. */
export interface Writing {
  writers: number;
  /** Transactions per writer. */
  transactions: number;
}

/** Events per transaction. */
const EVENTS = 40;
/** Views per transaction. */
const VIEWS = 12;

/** Runs one writer: transactions that write to every feed, with a pause after each statement. */
async function write(direct: Database, writer: number, transactions: number): Promise<void> {
  const random = randomNumbers(writer + 1);
  // Pauses, so that transactions overlap as much as possible.
  const db = watchStatements(direct, () => pause(random(4)));
  const occurredAt = '2026-09-02T10:00:00Z';
  for (let n = 0; n < transactions; n += 1) {
    const unique = writer * 1_000 + n;
    const status = random(2) === 0 ? 'open' : 'won';
    const changes: ShortRecord[] = [
      {
        record: 'room',
        id: uuid(10_000 + random(20)),
        name: `Room ${random(5)}`,
        status,
        dealValueCents: random(1_000),
      },
      {
        record: 'call',
        id: uuid(20_000 + random(20)),
        kind: 'meeting',
        occurredAt,
        ownerId: 7,
        title: `Title ${unique}`,
        roomId: ROOM,
      },
      { record: 'callSummary', callId: CALL, summary: { headline: `Version ${unique}` } },
    ];
    const contents: ShortRecord[] = [
      {
        record: 'distribution',
        id: uuid(30_000 + random(20)),
        roomId: ROOM,
        recipientName: `Name ${random(5)}`,
        recipientEmail: `r${random(30)}@globex.example`,
        callId: random(2) === 0 ? CALL : null,
      },
      { record: 'member', roomId: ROOM, email: `r${random(30)}@globex.example`, role: `Role ${random(5)}` },
      {
        record: 'document',
        id: uuid(40_000 + random(20)),
        roomId: ROOM,
        title: `Title ${unique}`,
        category: 'c',
      },
      {
        record: 'esign',
        id: `contract ${random(20)}`,
        roomId: ROOM,
        vendor: 'v',
        envelopeId: 'e',
        status: random(2) === 0 ? 'sent' : 'viewed',
      },
    ];
    const chosen = changes.filter(() => random(2) === 0);
    // One of them per transaction, so that the others do not wait too long for the clock.
    chosen.push(contents[random(contents.length)] as ShortRecord);
    for (let k = 0; k < EVENTS; k += 1) {
      const type = k % 2 === 0 ? 'room_visit' : 'comment';
      chosen.push({ record: 'event', key: `e${unique}-${k}`, type, occurredAt, distributionId: LINK });
    }
    for (let k = 0; k < VIEWS; k += 1) {
      chosen.push({
        record: 'view',
        key: `v${unique}-${k}`,
        distributionId: LINK,
        startedAt: occurredAt,
        endedAt: occurredAt,
        segments: [[0, 9]],
      });
    }
    const entries = chosen.map((record, index) => ({
      line: index + 1,
      record: captureRecord.parse({ companyId: COMPANY, ...record }),
    }));
    await captureBatch(db, COMPANY, entries);
  }
}

const FILTERED: readonly { feed: string; largestPage?: number }[] = [
  { feed: '/engagement/events' },
  { feed: '/engagement/events?types=comment,trailer_view' },
  { feed: `/engagement/events?buyer_space_id=${ROOM}&since=2026-09-02` },
  { feed: `/engagement/events?demo_id=${CALL}&types=room_visit` },
  { feed: '/engagement/views' },
  { feed: `/engagement/views?distribution_id=${LINK}` },
  { feed: '/calls' },
  { feed: '/calls', largestPage: 1 },
  { feed: '/calls?has_summary=true' },
  { feed: '/calls?kind=meeting' },
  { feed: '/decision-rooms' },
  { feed: '/decision-rooms', largestPage: 1 },
  { feed: '/decision-rooms?status=won' },
  { feed: `/distributions?buyer_space_id=${ROOM}`, largestPage: 2 },
  { feed: '/people', largestPage: 2 },
  { feed: '/documents', largestPage: 1 },
  { feed: '/esign-documents', largestPage: 2 },
];
/** Every data feed at least once, except the erasures: the writers erase nothing. */
const FEEDS = [
  ...FILTERED,
  ...DATA_FEEDS.filter((feed) => feed !== 'erasures')
    .map((feed) => ({ feed: `/${feed}`, largestPage: 2 }))
    .filter(({ feed }) => !FILTERED.some((one) => one.feed.split('?')[0] === feed)),
];

/**
 * Runs concurrent writers to every feed next to pollers with small pages and any filter, and expects that the pollers miss
 * nothing.
 *
 * @param db the database of the writers, with the workspace of `captureWorkspace`.
 * @param poller creates a reader of a feed.
 * @param caughtUp resolves when the readers can see everything that was written.
 */
export async function expectNothingMissed(
  db: Database,
  { writers, transactions }: Writing,
  poller: (feed: string, limitOf: () => number) => Poller,
  caughtUp: () => Promise<unknown> = async () => {},
): Promise<void> {
  const pollers = FEEDS.map(({ feed, largestPage = 20 }, index) => {
    const random = randomNumbers(index + 99);
    return { feed, consumer: poller(feed, () => 1 + random(largestPage)) };
  });
  const written = new AbortController();
  const writing = Promise.all(Array.from({ length: writers }, (_, n) => write(db, n, transactions)));
  await Promise.all([
    writing.then(caughtUp).finally(() => written.abort()),
    ...pollers.map(async ({ consumer }) => {
      while (!written.signal.aborted) await consumer.page();
      await consumer.drain();
    }),
  ]);

  for (const { feed, consumer } of pollers) {
    // A new reader with large pages sees the current state of the table.
    const table = poller(feed, () => 500);
    await table.drain();
    expect(table.seen.size).toBeGreaterThan(0);
    // The feed does not report that a row no longer matches a filter, so a consumer may have more rows than the table.
    const stillMatching = [...consumer.seen].filter(([objectId]) => table.seen.has(objectId));
    expect([feed, new Map(stillMatching)]).toEqual([feed, table.seen]);
  }
  const [everyEvent] = pollers;
  expect(everyEvent?.consumer.served).toBe(writers * transactions * EVENTS);
  expect(await db.engagementEvent.count()).toBe(writers * transactions * EVENTS);
  expect(await db.engagementView.count()).toBe(writers * transactions * VIEWS);
}
