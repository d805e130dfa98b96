import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createClient } from '../../src/client.ts';
import { ApiRefusal, ApiUnavailable } from '../../src/errors.ts';
import { followFeed, type FollowOptions } from '../../src/feeds/follow-feed.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { createMemoryStore } from '../../src/stores/memory-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite-store.ts';
import { type FeedStore, StoreConflict } from '../../src/stores/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { page, refuse, type ScriptedApi, startScriptedApi, type Step } from './scripted-api.ts';

let api: ScriptedApi;

afterEach(() => api.close());

/** Follows the events of a scripted API to their end. Returns the ids that `onPage` received, page by page. */
async function follow(
  script: [Step, ...Step[]],
  options: Partial<FollowOptions<'engagement/events', undefined>> = {},
): Promise<string[][]> {
  api = await startScriptedApi(...script);
  const pages: string[][] = [];
  await followFeed('engagement/events', {
    client: createClient({ url: api.url, apiKey: 'key' }),
    store: createMemoryStore(),
    stopAtEnd: true,
    onPage: ({ data }) => {
      pages.push(data.map(({ id }) => id));
    },
    ...options,
  });
  return pages;
}

const cursors = () => api.requests.map((url) => new URL(url, 'http://x').searchParams.get('cursor'));

test('reads from the beginning to the end, each page with the cursor of the one before', async () => {
  const pages = await follow([page([1, 2], { hasMore: true }), page([3], { hasMore: true }), page([])]);
  expect(pages).toEqual([['1', '2'], ['3']]);
  expect(cursors()).toEqual([null, '2', '3']);
});

test('stores the cursor of an empty first page, and does not call the handler', async () => {
  const store = createMemoryStore();
  const since = { query: { since: '2026-09-01' }, store };
  expect(await follow([page([], { cursor: 17 })], since)).toEqual([]);
  await api.close();
  // Another run, possibly much later.
  expect(await follow([page([], { cursor: 17 })], since)).toEqual([]);
  expect(cursors()).toEqual(['17']);
});

test('continues after an empty page with more to come, and does not call the handler', async () => {
  const store = createMemoryStore();
  const pages = await follow(
    [
      page([1], { hasMore: true }),
      page([], { hasMore: true, cursor: 9 }),
      page([12]),
      page([], { cursor: 12 }),
    ],
    { store, query: { since: '2026-09-01' } },
  );
  expect(pages).toEqual([['1'], ['12']]);
  expect(cursors()).toEqual([null, '1', '9']);
  expect(await store.readCursor('engagement/events')).toBe('12');
});

test('sends the key, the page size and the filters', async () => {
  const seen: unknown[] = [];
  const look: Step = (response, request) => {
    seen.push(request.headers.authorization, request.url);
    page([])(response, request);
  };
  await follow([look], { limit: 7, query: { types: 'a,b' } });
  expect(seen).toEqual(['Bearer key', '/api/v1/engagement/events?types=a%2Cb&limit=7']);
});

test('polls at the end, delivers no record twice, and ends without an error when it is aborted', async () => {
  const controller = new AbortController();
  const pages: string[][] = [];
  await follow([page([1]), page([], { cursor: 1 }), page([2]), page([], { cursor: 2 })], {
    stopAtEnd: false,
    pollMs: 1,
    signal: controller.signal,
    onPage: ({ data }) => {
      pages.push(data.map(({ id }) => id));
      if (pages.length === 2) controller.abort();
    },
  });
  expect(pages).toEqual([['1'], ['2']]);
  expect(cursors()).toEqual([null, '1', '1']);
});

test('ends while it waits for the API', async () => {
  const controller = new AbortController();
  const pages = await follow([refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '800' })], {
    signal: controller.signal,
    onWait: () => controller.abort(),
  });
  expect(pages).toEqual([]);
});

test('ends while it waits for a response', async () => {
  const controller = new AbortController();
  const problems: string[] = [];
  const pages = await follow([() => controller.abort()], {
    signal: controller.signal,
    onWait: (problem) => problems.push(problem),
  });
  expect([pages, problems]).toEqual([[], []]);
});

describe('waits and repeats', () => {
  test('after a 429, as long as Retry-After asks', async () => {
    const waits: [string, number][] = [];
    const pages = await follow([refuse(429, 'RATE_LIMITED', { 'retry-after': '1' }), page([1])], {
      onWait: (...wait) => waits.push(wait),
    });
    expect(pages).toEqual([['1']]);
    expect(waits).toEqual([['engagement/events: 429 RATE_LIMITED about RATE_LIMITED', 1_000]]);
  });

  test('for a moment even if a server repeatedly asks for no wait', async () => {
    const waits: number[] = [];
    const refusal = refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
    await follow([refusal, refusal, page([1])], { onWait: (_problem, waitMs) => waits.push(waitMs) });
    expect(waits).toHaveLength(2);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(250);
  });

  const cutOff: Step = (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"data":[');
    setImmediate(() => response.destroy());
  };
  test.each<[string, Step]>([
    ['after a 503', refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })],
    ['after a 500', refuse(500, 'INTERNAL_ERROR')],
    ['after a 408 of a proxy', (response) => response.writeHead(408).end()],
    ['after a 502 of a proxy', (response) => response.writeHead(502).end('<html>Bad gateway</html>')],
    ['after a connection that was closed', (response) => response.destroy()],
    ['after a body that was cut off', cutOff],
  ])('%s', async (_name, step) => {
    const problems: string[] = [];
    const pages = await follow([step, page([1])], { onWait: (problem) => problems.push(problem) });
    expect(pages).toEqual([['1']]);
    expect(problems).toHaveLength(1);
    expect(cursors()).toEqual([null, null]);
  });

  test('until the time limit is reached', async () => {
    const following = follow([refuse(503, 'SERVICE_UNAVAILABLE')], { giveUpAfterMs: 400 });
    await expect(following).rejects.toThrow(ApiUnavailable);
    await expect(following).rejects.toThrow('engagement/events: 503 SERVICE_UNAVAILABLE');
  });

  test('after a request that takes too long', async () => {
    api = await startScriptedApi(() => undefined, page([1]));
    const pages: number[] = [];
    await followFeed('engagement/events', {
      client: createClient({ url: api.url, apiKey: 'key', timeoutMs: 50 }),
      store: createMemoryStore(),
      stopAtEnd: true,
      onPage: ({ data }) => {
        pages.push(data.length);
      },
    });
    expect(pages).toEqual([1]);
  });
});

describe('gives up at once', () => {
  test.each([
    [401, 'API_KEY_INVALID'],
    [403, 'FEATURE_NOT_ENABLED'],
    [400, 'INVALID_CURSOR'],
  ])('after a %d %s', async (status, code) => {
    const following = follow([refuse(status, code, { 'x-request-id': 'r1' })]);
    await expect(following).rejects.toThrow(ApiRefusal);
    const field = status === 400 ? 'cursor' : null;
    await expect(following).rejects.toMatchObject({ status, code, field, requestId: 'r1' });
    expect(api.requests).toHaveLength(1);
  });

  test('after a redirect, which would carry the key to another server', async () => {
    const following = follow([
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ]);
    await expect(following).rejects.toMatchObject({ status: 302 });
  });

  test.each([
    '<html>Welcome</html>',
    '{"hello":"world"}',
    '[]',
    'null',
    '{"data":{},"nextCursor":"1","hasMore":false}',
  ])('if another server responds with %s', async (body) => {
    const following = follow([(response) => response.writeHead(200).end(body)]);
    await expect(following).rejects.toThrow('did not respond like the Deal Signals API');
  });
});

describe('a page that cannot be stored', () => {
  test('is not stored if its handler throws, and is read again', async () => {
    const store = createMemoryStore();
    const failing = follow([page([1], { hasMore: true })], {
      store,
      onPage: () => {
        throw new Error('disk full');
      },
    });
    await expect(failing).rejects.toThrow('disk full');
    await api.close();
    expect(await follow([page([1])], { store })).toEqual([['1']]);
    expect(cursors()).toEqual([null]);
  });

  test('is a conflict if another program has moved the cursor', async () => {
    const store = createMemoryStore();
    const following = follow([page([1], { hasMore: true }), page([2])], {
      store,
      async onPage({ data, nextCursor, hasMore }) {
        if (nextCursor !== '1') return;
        // The other program stores the next page first.
        await Promise.resolve();
        setImmediate(() => {
          void store.savePage({
            feed: 'engagement/events',
            page: { data, nextCursor: '9', hasMore },
            previousCursor: '1',
          });
        });
      },
    });
    await expect(following).rejects.toThrow(StoreConflict);
  });
});

describe('a record that is nested too deeply to be stored is named', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  /** Whether this version of Node.js can serialise such JSON: versions before 25 exhaust their stack. */
  const canStoreIt = (() => {
    try {
      return JSON.stringify(JSON.parse(nested(20_000))) !== '';
    } catch {
      return false;
    }
  })();
  const deepPage = (response: ServerResponse) =>
    response.end(
      `{"data":[{"id":"1","metadata":{}},{"id":"2","metadata":${nested(20_000)}},{"id":"3","metadata":${nested(50)}}],"nextCursor":"3","hasMore":false}`,
    );

  test.each([
    ['SQLite', (folder: string) => openSqliteStore(path.join(folder, 'copy.db'))],
    ['files', (folder: string) => openFileStore(folder)],
  ])('in %s', async (_name, open) => {
    api = await startScriptedApi(deepPage);
    const store = (await open(temporaryFolder())) as FeedStore<any>;
    const following = followFeed('engagement/events', {
      client: createClient({ url: api.url, apiKey: 'key' }),
      store,
      stopAtEnd: true,
    });
    if (canStoreIt) {
      await following;
      expect(await store.readCursor('engagement/events')).toBe('3');
    } else {
      await expect(following).rejects.toMatchObject({
        name: 'RecordTooDeep',
        message:
          'engagement/events: the record 2 is nested 20001 levels deep, which is too deep to be stored',
        recordId: '2',
      });
      expect(await store.readCursor('engagement/events')).toBeNull();
    }
    await store.close();
  });

  test('but not if the handler of the page fails for another reason', async () => {
    api = await startScriptedApi(page([1]));
    const store = createMemoryStore();
    const onPage = () => {
      throw new RangeError('Invalid array length');
    };
    const following = followFeed('engagement/events', {
      client: createClient({ url: api.url, apiKey: 'key' }),
      store,
      onPage,
      stopAtEnd: true,
    });
    await expect(following).rejects.toThrow('Invalid array length');
  });
});
