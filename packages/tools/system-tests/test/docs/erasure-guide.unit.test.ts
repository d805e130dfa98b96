import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { type Feed, type FeedPage, tableOf } from 'deal-signals/feeds/feeds';
import { openSqliteStore } from 'deal-signals/stores/sqlite-store';
import { expect, test } from '@jest/globals';
import { readPage } from './programs.ts';

type Rows = Record<string, ({ id: string } & Record<string, unknown>)[]>;

interface Case {
  name: string;
  before: Rows;
  erasure: Record<string, string | string[]>;
  after: Rows;
}

// The cases on which the stores of the clients have to agree.
const CASES_FILE = path.join(REPOSITORY_ROOT, 'packages/clients/typescript/test/stores/erase-cases.json');
const { cases } = JSON.parse(readFileSync(CASES_FILE, 'utf8')) as { cases: Case[] };

const [, SQL = ''] = /^```sql\n([\s\S]*?)^```$/m.exec(readPage('erasure.md')) ?? [];
const EMPTY = {
  personIds: [],
  distributionIds: [],
  engagementEventIds: [],
  engagementViewIds: [],
  erasedAt: '2026-09-02T00:00:00.000Z',
};

/** Returns the statements of the guide, with the values of an entry in place of its fields. */
function statementsFor(entry: Record<string, string | string[]>): string {
  return SQL.replaceAll(/:(\w+)/g, (field, name: string) => {
    // In JSON, a colon precedes `null`.
    if (name === 'null') return field;
    const value = entry[name];
    const list = (Array.isArray(value) ? value : [value]).map((one) =>
      one === undefined ? 'NULL' : `'${one}'`,
    );
    return list.join(', ');
  });
}

test.each(cases)('the SQL of the guide to erasure erases the same as the stores: $name', async (one) => {
  const store = await openSqliteStore(':memory:');
  const all = Object.fromEntries(
    ['people', 'distributions', 'engagement/events', 'engagement/views'].map((feed) => [
      feed,
      one.before[feed] ?? [],
    ]),
  );
  for (const [feed, data] of Object.entries(all)) {
    const page = { data, nextCursor: 'next', hasMore: false } as unknown as FeedPage;
    await store.savePage({ feed: feed as Feed, page, previousCursor: null });
  }
  store.database.exec(statementsFor({ ...EMPTY, ...one.erasure }));
  for (const [feed, expected] of Object.entries(one.after)) {
    const rows = store.database.prepare(`SELECT * FROM ${tableOf(feed as Feed)}`).all() as Record<
      string,
      unknown
    >[];
    for (const { id, ...fields } of expected) {
      const row = rows.find((found) => String(found['id']) === id)!;
      for (const [field, value] of Object.entries(fields)) {
        const stored = row[field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
        expect([id, field, stored]).toEqual([
          id,
          field,
          typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
        ]);
      }
    }
  }
  await store.close();
});
