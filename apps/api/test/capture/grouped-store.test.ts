import { AsyncLocalStorage } from 'node:async_hooks';
import { inFeedTransaction, UnknownWorkspaceError } from '@deal-signals/db/feeds/feed-clock';
import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { until } from '@deal-signals/test-kit/until';
import { captureWorkspace, LINK } from '@deal-signals/test-kit/worlds/captured';
import { addEndpoint } from '@deal-signals/test-kit/worlds/deliveries';
import { COMPANY, uuid } from '@deal-signals/test-kit/worlds/ids';
import { beforeEach, expect, test } from '@jest/globals';
import type { BatchResult } from '@deal-signals/capture/transaction/batch-result';
import type { Entry } from '@deal-signals/capture/records/entry';
import { captureRecord } from '@deal-signals/capture/records/record';
import { openStore } from '@deal-signals/capture/stream/open-store';
import type { Store } from '@deal-signals/capture/stream/store';
import { groupWrites } from '../../src/capture/grouped-store.ts';

const database = emptiedDatabase(captureWorkspace);
let store: Store;
/** The number of records in each transaction. */
let transactions: number[];
/** The batch in whose context each transaction ran. */
let origins: (number | undefined)[];
const context = new AsyncLocalStorage<number>();

beforeEach(() => {
  transactions = [];
  origins = [];
  const direct = openStore(database.db);
  store = groupWrites({
    ...direct,
    writeBatches(companyId, batches) {
      transactions.push(batches.flat().length);
      origins.push(context.getStore());
      return direct.writeBatches(companyId, batches);
    },
  });
});

const batch = (prefix: string, count = 1, distributionId = LINK): Entry[] =>
  Array.from({ length: count }, (_, n) => ({
    line: n + 1,
    record: captureRecord.parse({
      record: 'event',
      companyId: COMPANY,
      key: `${prefix}${n}`,
      type: 't',
      occurredAt: '2026-01-01',
      distributionId,
    }),
  }));

const storedKeys = async () =>
  (await database.db.engagementEvent.findMany({ orderBy: { id: 'asc' } })).map(({ key }) => key);

async function write(companyId: number, entries: Entry[]): Promise<BatchResult> {
  const [result] = await store.writeBatches(companyId, [entries]);
  return result!;
}

/** Writes while the workspace is busy, so that the batches after the first one wait together. */
async function writeTogether(batches: Entry[][]): Promise<PromiseSettledResult<BatchResult>[]> {
  let results: Promise<PromiseSettledResult<BatchResult>[]> | undefined;
  await inFeedTransaction(database.db, COMPANY, async () => {
    results = Promise.allSettled(
      batches.map((entries, index) => context.run(index, () => write(COMPANY, entries))),
    );
    await until('the first batch is being written', () => transactions.length === 1);
  });
  return results ?? [];
}

test('batches that wait for a workspace share a transaction, up to 1,000 records, in their order', async () => {
  const results = await writeTogether([
    batch('a'),
    batch('b', 2),
    batch('c', 900),
    batch('d', 98),
    batch('e', 3),
  ]);
  expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(transactions).toEqual([1, 1_000, 3]);
  expect(origins).toEqual([0, 1, 4]);
  const keys = await storedKeys();
  expect(keys).toHaveLength(1_004);
  expect(keys.filter((key) => key.endsWith('0') && key.length === 2)).toEqual(['a0', 'b0', 'c0', 'd0', 'e0']);
  await write(COMPANY, batch('later'));
  expect(transactions).toEqual([1, 1_000, 3, 1]);
});

test('each batch gets the results of its own records', async () => {
  const results = await writeTogether([batch('a'), batch('b', 2), batch('b', 3), batch('a')]);
  expect(results).toMatchObject([
    { value: { captured: 1, unchanged: 0 } },
    { value: { captured: 2, unchanged: 0 } },
    { value: { captured: 1, unchanged: 2 } },
    { value: { captured: 0, unchanged: 1 } },
  ]);
});

test('batches that share a transaction keep their own traces', async () => {
  await addEndpoint(database.db);
  const spanOf = (digit: string) => `${digit.repeat(16)}-01`;
  const traceOf = (digit: string) => digit.repeat(32);
  const traced = (digit: string): Entry[] =>
    batch(digit, 2).map((entry) => ({ ...entry, traceparent: `00-${traceOf(digit)}-${spanOf(digit)}` }));
  await writeTogether([batch('a'), traced('b'), batch('c'), traced('d')]);
  expect(transactions).toEqual([1, 5]);
  const keys = new Map(
    (await database.db.engagementEvent.findMany()).map(({ id, key }) => [String(id), key]),
  );
  const traces = (await database.db.webhookEvent.findMany()).map(({ body, traceId, captureSpan }) => [
    keys.get(JSON.parse(body).data.id),
    [traceId?.replaceAll('-', '') ?? null, captureSpan],
  ]);
  expect(Object.fromEntries(traces)).toEqual({
    a0: [null, null],
    b0: [traceOf('b'), spanOf('b')],
    b1: [traceOf('b'), spanOf('b')],
    c0: [null, null],
    d0: [traceOf('d'), spanOf('d')],
    d1: [traceOf('d'), spanOf('d')],
  });
});

test('a rejected record fails only its own batch, with the line of that batch', async () => {
  const results = await writeTogether([batch('a'), batch('b', 2), batch('stray', 1, uuid(99)), batch('c')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(results[2]).toMatchObject({ reason: { line: 1, field: 'distributionId' } });
  expect(await storedKeys()).toEqual(['a0', 'b0', 'b1', 'c0']);
});

test('batches whose faulty records are skipped share a transaction, and each error has the line of its batch', async () => {
  const direct = openStore(database.db, { onError: 'continue' });
  store = groupWrites({
    ...direct,
    writeBatches(companyId, batches) {
      transactions.push(batches.flat().length);
      return direct.writeBatches(companyId, batches);
    },
  });
  const mixed = batch('b', 3).map((entry, n) => (n === 1 ? batch('stray', 2, uuid(99))[1]! : entry));
  const results = await writeTogether([batch('a'), mixed, batch('c'), mixed]);
  expect(transactions).toEqual([1, 7]);
  const refused = [{ line: 2, field: 'distributionId' }];
  expect(results).toMatchObject([
    { value: { captured: 1, refused: [] } },
    { value: { captured: 2, refused } },
    { value: { captured: 1, refused: [] } },
    { value: { captured: 0, unchanged: 2, refused } },
  ]);
  expect(await storedKeys()).toEqual(['a0', 'b0', 'b2', 'c0']);
});

test('reports an unknown workspace and a database failure to all batches', async () => {
  await expect(write(77, batch('x'))).rejects.toBeInstanceOf(UnknownWorkspaceError);
  transactions.length = 0;
  await database.db.$executeRaw`ALTER TABLE engagement_events ADD CONSTRAINT broken CHECK (id < 0)`;
  const results = await writeTogether([batch('a'), batch('b'), batch('c')]);
  const reasons = results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'none'));
  expect(reasons).toHaveLength(3);
  for (const reason of reasons) expect(reason).toContain('broken');
  expect(await storedKeys()).toEqual([]);
});
