import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { generatedFiles } from '../generate/generated-files.ts';
import { REPOSITORY } from '../generate/generate.ts';
import { DATA_FEEDS, type Feed, FEEDS } from '../src/feeds/feeds.ts';
import { FEED_COLUMNS } from '../src/generated/feed-columns.ts';

// If this fails, the description of the API has changed: run `pnpm generate`.
test('every generated file matches the description', async () => {
  const files = [...(await generatedFiles())];
  const name = (file: string) => path.relative(REPOSITORY, file);
  expect(files.map(([file]) => name(file)).toSorted()).toEqual([
    'apps/console/src/text/generated/events.ts',
    'docs/examples/loaders/deal_signals_airbyte.yaml',
    'docs/examples/loaders/deal_signals_dlt.py',
    'packages/clients/n8n/nodes/DealSignals/event-options.ts',
    ...['event_objects', 'feeds', 'operations', 'stores/columns', 'types'].map(
      (module) => `packages/clients/python/src/deal_signals/${module}.py`,
    ),
    'packages/clients/typescript/src/generated/api.ts',
    'packages/clients/typescript/src/generated/event-objects.ts',
    'packages/clients/typescript/src/generated/feed-columns.ts',
    'packages/clients/zapier/src/generated/events.ts',
    'packages/clients/zapier/src/generated/samples.ts',
  ]);
  for (const [file, text] of files) {
    expect([name(file), readFileSync(file, 'utf8')]).toEqual([name(file), text]);
  }
});

test('every feed of the API can be followed, except the scores', () => {
  expect(new Set<string>([...FEEDS, 'room-scores'])).toEqual(new Set(Object.keys(FEED_COLUMNS)));
});

test.each([
  ['deal_signals_airbyte.yaml', /\{ feed: ([a-z/-]+)/g],
  ['deal_signals_dlt.py', /\bfeed\("\w+", "([a-z/-]+)"/g],
])('%s loads all data', (loader, feeds) => {
  const text = readFileSync(path.join(REPOSITORY, 'docs/examples/loaders', loader), 'utf8');
  expect(Array.from(text.matchAll(feeds), ([, feed = '']) => feed).toSorted()).toEqual(DATA_FEEDS.toSorted());
});

test.each(FEEDS)('%s has columns, the id first', (feed) => {
  const names = FEED_COLUMNS[feed].map(({ name }) => name);
  expect(names[0]).toBe('id');
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z_][a-z0-9_]*$/);
});

test('the columns have the types of the fields', () => {
  const types = (feed: Feed) => Object.fromEntries(FEED_COLUMNS[feed].map(({ name, type }) => [name, type]));
  expect(types('calls')).toMatchObject({
    id: 'uuid',
    title: 'text',
    updated_at: 'timestamp',
    completed_at: 'timestamp',
    owner: 'json',
    participants: 'json',
    summary: 'json',
    has_summary: 'boolean',
    duration_seconds: 'integer',
    buyer_space_id: 'uuid',
  });
  expect(types('decision-rooms')).toMatchObject({ expected_close_date: 'date', status: 'text' });
  expect(types('engagement/events')).toMatchObject({ id: 'integer', metadata: 'json', actor: 'json' });
  expect(types('distributions')).toMatchObject({ id: 'uuid', recipient: 'json', updated_at: 'timestamp' });
  expect(types('people')).toMatchObject({ id: 'uuid', in_committee: 'boolean', removed_at: 'timestamp' });
  expect(types('esign-documents')).toMatchObject({ id: 'text', recipient_count: 'integer' });
});
