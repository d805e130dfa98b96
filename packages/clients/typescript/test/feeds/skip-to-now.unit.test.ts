import { afterEach, expect, test } from '@jest/globals';
import { createClient } from '../../src/client.ts';
import { skipToNow } from '../../src/feeds/skip-to-now.ts';
import { createMemoryStore } from '../../src/stores/memory-store.ts';
import { page, type ScriptedApi, startScriptedApi } from './scripted-api.ts';

let api: ScriptedApi;

afterEach(() => api.close());

test('skips a feed to its end, and continues from a stored cursor', async () => {
  api = await startScriptedApi(page([], { cursor: 17 }), page([18, 19]), page([], { cursor: 19 }));
  const store = createMemoryStore();
  const options = { client: createClient({ url: api.url, apiKey: 'key' }), store };
  await skipToNow('engagement/events', options);
  expect(await store.readCursor('engagement/events')).toBe('19');
  const queries = api.requests.map((url) => new URL(url, 'http://x').searchParams);
  expect(queries.map((query) => [query.has('since'), query.get('cursor')])).toEqual([
    [true, null],
    [false, '17'],
  ]);
  await skipToNow('engagement/events', options);
  expect(api.requests).toHaveLength(2);
});
