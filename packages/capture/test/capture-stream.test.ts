import type { Database } from '@deal-signals/db/database';
import { capture, DOCUMENT, LINK, ROOM, type ShortRecord } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { until } from '@deal-signals/test-kit/until';
import { describe, expect, test } from '@jest/globals';
import type { CaptureOptions } from '../src/stream/capture-options.ts';
import { captureStream, type StreamOptions } from '../src/stream/capture-stream.ts';
import { parseRecord } from '../src/records/parse-record.ts';
import { readNdjson } from '../src/stream/read-ndjson.ts';
import { openStore } from '../src/stream/open-store.ts';
import { capturedDatabase } from './captured-database.ts';
import { snapshot } from './records.ts';

const database = capturedDatabase();

type Line = ShortRecord | { record: 'company'; id: number; name: string } | { [name: string]: unknown };

const event = (key: string, more: object = {}): Line => ({
  record: 'event',
  key,
  type: 'room_visit',
  occurredAt: '2026-01-01',
  distributionId: LINK,
  ...more,
});
const UNKNOWN_LINK = { distributionId: uuid(99) };
const textOf = (lines: Line[]) =>
  lines
    .map(
      (line) => `${JSON.stringify({ ...(line.record !== 'company' && { companyId: COMPANY }), ...line })}\n`,
    )
    .join('');

async function* sent(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

/** Returns each result as a short text. */
async function resultsOf(
  input: AsyncIterable<Buffer>,
  options: StreamOptions & CaptureOptions = {},
): Promise<string[]> {
  const results: string[] = [];
  for await (const result of captureStream(
    openStore(database.db, options),
    readNdjson(input, { lenient: false }),
    options,
  )) {
    results.push(
      result.kind === 'written'
        ? `${result.records} to ${result.line}`
        : `${result.error.line} ${result.error.field}`,
    );
  }
  return results;
}

const storedKeys = async (companyId = COMPANY) =>
  (await database.db.engagementEvent.findMany({ where: { companyId }, orderBy: { id: 'asc' } })).map(
    ({ key }) => key,
  );

describe('an invalid record', () => {
  const lines = [
    event('a'),
    event('b', { type: '' }),
    event('c'),
    event('d', UNKNOWN_LINK),
    { record: 'room', id: uuid(40), name: 'Initech', ownerId: 99 },
    event('e'),
    event('f', UNKNOWN_LINK),
    event('g'),
  ];

  test('ends the capture, which stores the records before it and none after it', async () => {
    expect(await resultsOf(sent(textOf(lines)))).toEqual(['1 to 1', '2 type']);
    expect(await resultsOf(sent(textOf(lines.toSpliced(1, 1))))).toEqual(['2 to 2', '3 distributionId']);
    expect(await storedKeys()).toEqual(['a', 'c']);
  });

  test('is skipped with onError=continue, and all others are stored in order in one transaction', async () => {
    expect(await resultsOf(sent(textOf(lines)), { onError: 'continue' })).toEqual([
      '2 type',
      '4 distributionId',
      '5 ownerId',
      '7 distributionId',
      '4 to 8',
    ]);
    expect(await storedKeys()).toEqual(['a', 'c', 'e', 'g']);
  });

  test('takes no transaction of its own with onError=continue', async () => {
    let transactions = 0;
    const { db } = database;
    const counted = {
      queryTransaction: ((work) => {
        transactions += 1;
        return db.queryTransaction(work);
      }) satisfies Database['queryTransaction'],
    } as Database;
    const batch = Array.from({ length: 999 }, (_, n) => event(`faulty ${n}`, UNKNOWN_LINK));
    const store = openStore(counted, { onError: 'continue' });
    const input = readNdjson(sent(textOf([...batch, event('sound')])), { lenient: false });
    const results: string[] = [];
    for await (const { kind } of captureStream(store, input)) results.push(kind);
    expect(results).toEqual([...Array.from({ length: 999 }, () => 'refused'), 'written']);
    expect(transactions).toBe(1);
    expect(await storedKeys()).toEqual(['sound']);
  });

  test('leaves no trace with onError=continue', async () => {
    const { db } = database;
    const before = await snapshot(db);
    const faulty: Line[] = [
      { record: 'room', id: uuid(40), name: 'Initech', ownerId: 99 },
      { record: 'room', id: ROOM, status: 'won', sourceCallId: uuid(99) },
      { record: 'member', roomId: uuid(40), name: 'x' },
      { record: 'call', id: uuid(41), kind: 'demo', occurredAt: '2026-01-01', ownerId: 99 },
      { record: 'callSummary', callId: uuid(41), summary: {} },
      {
        record: 'distribution',
        id: uuid(42),
        roomId: ROOM,
        recipientName: 'x',
        recipientEmail: null,
        callId: uuid(41),
      },
      {
        record: 'distribution',
        id: uuid(43),
        roomId: ROOM,
        recipientName: 'x',
        recipientEmail: null,
        forwardedFromDistributionId: uuid(42),
      },
      { record: 'document', id: DOCUMENT, roomId: uuid(40), title: 'x', category: 'y' },
      event('e', { distributionId: uuid(43) }),
      event('f', { docId: uuid(99) }),
      { record: 'view', key: 'v', distributionId: uuid(42), startedAt: '2026-01-01', endedAt: '2026-01-01' },
      { record: 'message', key: 'm', roomId: uuid(40), side: 'prospect', sentAt: '2026-01-01' },
      { record: 'actionItem', id: uuid(44), roomId: ROOM, title: 'x', completedBy: 'seller' },
      { record: 'esign', id: 'c', roomId: uuid(40), vendor: 'v', envelopeId: 'e', status: 'sent' },
      { record: 'user', id: 99, name: 'x' },
    ];
    await addEndpoint(db);
    const results = await resultsOf(sent(textOf(faulty)), { onError: 'continue' });
    expect(results.map((result) => result.split(' ')[0])).toEqual(faulty.map((_, n) => String(n + 1)));
    expect(await snapshot(db)).toEqual(before);
    expect(await db.user.count()).toBe(1);
    expect(await db.webhookEvent.count()).toBe(0);
  });

  test('causes the records that refer to it to be rejected', async () => {
    const room = { record: 'room', id: uuid(40), name: '', ownerId: 7 };
    const member = { record: 'member', roomId: uuid(40), name: 'Bob' };
    expect(await resultsOf(sent(textOf([room, member, event('a')])), { onError: 'continue' })).toEqual([
      '1 name',
      '2 roomId',
      '1 to 3',
    ]);
  });

  test('of an unknown workspace is skipped with onError=continue, and ends the capture without it', async () => {
    const foreign = textOf([event('a', { companyId: 77 }), event('b'), event('c', { companyId: 77 })]);
    expect(await resultsOf(sent(foreign), { onError: 'continue' })).toEqual([
      '1 companyId',
      '3 companyId',
      '1 to 3',
    ]);
    expect(await resultsOf(sent(foreign))).toEqual(['1 companyId']);
  });

  test('stops the records of all workspaces at its line', async () => {
    await resultsOf(sent(textOf([{ record: 'company', id: 2, name: 'Other' }])));
    const user = (id: number) => ({ record: 'user', companyId: 2, id, name: 'x', email: 'x@x.example' });
    const mixed = [user(1), event('a'), user(2), event('b', { type: '' }), user(3), event('c')];
    expect(await resultsOf(sent(textOf(mixed)))).toEqual(['2 to 1', '1 to 3', '4 type']);
    expect(await database.db.user.count({ where: { companyId: 2 } })).toBe(2);
    expect(await storedKeys()).toEqual(['a']);
  });
});

describe('a stream', () => {
  test('stores its records while it pauses', async () => {
    let goOn = (): void => {};
    async function* paused(): AsyncGenerator<Buffer> {
      yield Buffer.from(textOf([event('a'), event('b')]));
      await new Promise<void>((resolve) => (goOn = resolve));
      yield Buffer.from(textOf([event('c')]));
    }
    const results = resultsOf(paused(), { flushAfterMs: 20 });
    await until('the first records are stored', async () => (await storedKeys()).length === 2);
    goOn();
    expect(await results).toEqual(['2 to 2', '1 to 3']);
  });

  test('is written in transactions of 1,000 records of a workspace, and a line is reported once all lines before it are stored', async () => {
    await capture(database.db, { record: 'user', id: 8, name: 'Bea', email: 'bea@acme.example' });
    const other = { record: 'company', id: 2, name: 'Other' };
    const user = (id: number) => ({ record: 'user', companyId: 2, id, name: 'x', email: 'x@x.example' });
    const lines = [other, user(1), ...Array.from({ length: 1_500 }, (_, n) => event(`k${n}`)), user(2)];
    expect(await resultsOf(sent(textOf(lines)))).toEqual(['1 to 1', '1000 to 1', '2 to 1002', '500 to 1503']);
  });

  test.each(['fails', 'is told to stop'])('that %s stores every complete line that was read', async (how) => {
    const stop = new AbortController();
    async function* input(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${textOf([event('a'), event('b')])}{"record":"event","k`);
      if (how === 'fails') throw new Error('the end');
      await until('the lines were taken', () => true);
      stop.abort(new Error('the end'));
      await new Promise(() => {});
    }
    const results: number[] = [];
    const run = async () => {
      const stream = captureStream(openStore(database.db), readNdjson(input(), { lenient: false }), {
        signal: stop.signal,
      });
      for await (const result of stream) if (result.kind === 'written') results.push(result.line);
    };
    await expect(run()).rejects.toThrow('the end');
    expect(results).toEqual([2]);
    expect(await storedKeys()).toEqual(['a', 'b']);
  });

  test('accepts records of one workspace only if it is bound to it', async () => {
    await resultsOf(sent(textOf([{ record: 'company', id: 2, name: 'Other' }])));
    const lines = textOf([
      event('a'),
      { record: 'company', id: 2, name: 'Mine' },
      event('b', { companyId: 2 }),
    ]);
    expect(await resultsOf(sent(lines), { workspaceId: COMPANY, onError: 'continue' })).toEqual([
      '2 id',
      '3 companyId',
      '1 to 3',
    ]);
    expect(await database.db.company.findUnique({ where: { id: 2 } })).toMatchObject({ name: 'Other' });
  });
});

describe('a dry run', () => {
  test('reports the same errors as a capture and stores nothing', async () => {
    await addEndpoint(database.db);
    const before = await snapshot(database.db);
    const room = uuid(50);
    const link = uuid(51);
    const lines: Line[] = [
      { record: 'company', id: 3, name: 'New' },
      { record: 'user', companyId: 3, id: 1, name: 'x', email: 'x@x.example' },
      { record: 'room', companyId: 3, id: room, name: 'Initech', ownerId: 1 },
      {
        record: 'call',
        companyId: 3,
        id: uuid(52),
        kind: 'demo',
        occurredAt: '2026-01-01',
        ownerId: 1,
        roomId: room,
      },
      { record: 'room', companyId: 3, id: room, name: 'Initech', sourceCallId: uuid(52) },
      {
        record: 'distribution',
        companyId: 3,
        id: link,
        roomId: room,
        recipientName: 'Bob',
        recipientEmail: null,
      },
      ...Array.from({ length: 900 }, (_, n) => event(`k${n}`, { companyId: 3, distributionId: link })),
      event('stray', { companyId: 3, distributionId: uuid(53) }),
      event('known'),
    ];
    const options = { onError: 'continue', dryRun: true } as const;
    const checked = await resultsOf(sent(textOf(lines)), options);
    expect(await snapshot(database.db)).toEqual(before);
    expect(await database.db.company.findUnique({ where: { id: 3 } })).toBeNull();
    expect(checked).toContain('907 distributionId');
    expect(checked).toEqual(await resultsOf(sent(textOf(lines)), { onError: 'continue' }));
  });

  test('checks a full batch of each workspace, and validates later records on their own', async () => {
    const lines = [
      event('stray', UNKNOWN_LINK),
      ...Array.from({ length: 1_000 }, (_, n) => event(`k${n}`)),
      event('wrong', { type: 7 }),
      event('late', UNKNOWN_LINK),
    ];
    expect(await resultsOf(sent(textOf(lines)), { onError: 'continue', dryRun: true })).toEqual([
      '1 distributionId',
      '999 to 1000',
      '1002 type',
      '2 to 1003',
    ]);
    expect(await storedKeys()).toEqual([]);
  });

  test('locks the feed clock of a workspace once', async () => {
    const store = openStore(database.db, { onError: 'continue', dryRun: true });
    const write = (line: number, link: string) => {
      const record = parseRecord(
        { companyId: COMPANY, ...event(`k${line}`, { distributionId: link }) },
        line,
        {
          lenient: false,
        },
      );
      return store.writeBatches(COMPANY, [[{ line, record }]]);
    };
    expect(await write(1, LINK)).toEqual([{ captured: 1, unchanged: 0, refused: [] }]);
    await database.db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT take_feed_clock(${COMPANY})`;
      expect(await write(2, uuid(99))).toEqual([{ captured: 0, unchanged: 0, validated: 1, refused: [] }]);
    });
  });

  test('does not find a record that the stream rejected', async () => {
    const room = { record: 'room', id: uuid(50), name: 'Initech', ownerId: 99 };
    const member = { record: 'member', roomId: uuid(50), name: 'Bob' };
    const results = await resultsOf(sent(textOf([room, event('k'), member])), {
      onError: 'continue',
      dryRun: true,
    });
    expect(results.filter((result) => !result.includes(' to '))).toEqual(['1 ownerId', '3 roomId']);
  });
});
