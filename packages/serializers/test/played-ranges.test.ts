import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { playedSeconds, type Segment } from '../src/engagement/played-ranges.ts';

// Tests the database functions that compute the played parts for views and roll-ups.

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Session {
  segments: Segment[];
  duration: number | null;
}

/** Returns the milliseconds played in each session, with and without rewatches, and the played percentage of the recording. */
function playedIn(sessions: Session[]) {
  return database.db.$queryRaw<{ played: number; distinct: number; percent: number | null }[]>`
    SELECT p.watch_ms::float8 AS played, d.ms::float8 AS distinct,
           completion_percent(d.ms, (s.session ->> 'duration')::int) AS percent
    FROM jsonb_array_elements(${JSON.stringify(sessions)}::jsonb) WITH ORDINALITY AS s (session, n)
    CROSS JOIN LATERAL played(s.session -> 'segments') AS p
    CROSS JOIN LATERAL distinct_time(p.ranges, (s.session ->> 'duration')::int) AS d
    ORDER BY s.n`;
}

describe('played ranges', () => {
  const cases: [string, Segment[], number | null, { played: number; distinct: number }][] = [
    ['no range', [], 100, { played: 0, distinct: 0 }],
    ['one pass', [[0, 100]], 100, { played: 100, distinct: 100 }],
    [
      'a rewatch',
      [
        [0, 50],
        [0, 50],
      ],
      100,
      { played: 100, distinct: 50 },
    ],
    [
      'an overlap',
      [
        [0, 60],
        [40, 80],
      ],
      100,
      { played: 100, distinct: 80 },
    ],
    [
      'a range inside another',
      [
        [0, 90],
        [10, 20],
        [30, 40],
      ],
      100,
      { played: 110, distinct: 90 },
    ],
    [
      'ranges out of order',
      [
        [60, 80],
        [0, 20],
      ],
      100,
      { played: 40, distinct: 40 },
    ],
    [
      'touching ranges',
      [
        [0, 10],
        [10, 20],
      ],
      100,
      { played: 20, distinct: 20 },
    ],
    ['a range beyond the end', [[90, 130]], 100, { played: 40, distinct: 10 }],
    ['a range after the end', [[120, 130]], 100, { played: 10, distinct: 0 }],
    ['an unknown duration', [[90, 130]], null, { played: 40, distinct: 40 }],
    ['a duration of 0, which is unknown', [[90, 130]], 0, { played: 40, distinct: 40 }],
    ['an empty range', [[5, 5]], 100, { played: 0, distinct: 0 }],
  ];

  test.each(cases)(
    'with %s have their played and distinct seconds',
    async (_name, segments, duration, { played, distinct }) => {
      expect(playedSeconds(segments)).toBe(played);
      expect(await playedIn([{ segments, duration }])).toMatchObject([
        { played: played * 1_000, distinct: distinct * 1_000 },
      ]);
    },
  );

  test('are measured in milliseconds', async () => {
    const segments: Segment[] = [
      [0.1, 0.3],
      [0.2, 0.4004],
      [1.9996, 2.5],
    ];
    expect(await playedIn([{ segments, duration: 2 }])).toEqual([
      { played: 900, distinct: 300, percent: 15 },
    ]);
    expect(playedSeconds(segments)).toBe(0.9);
  });

  test('have the same times and completion as a simulation that marks each millisecond, in random sessions', async () => {
    const random = randomNumbers(11);
    const ms = (most: number) => random(most * 1_000);
    const seconds = (time: number) => time / 1_000;
    const sessions = Array.from({ length: 500 }, () => {
      const ranges = Array.from({ length: random(8) }, () => {
        const from = ms(300);
        return [from, from + ms(90)] as const;
      });
      return { ranges, duration: random(6) === 0 ? null : random(300) };
    });
    const marked = sessions.map(({ ranges, duration }) => {
      const isPlayed = new Uint8Array(390_000);
      for (const [from, to] of ranges) isPlayed.fill(1, from, to);
      const distinct = isPlayed.subarray(0, duration ? duration * 1_000 : undefined).filter(Boolean).length;
      return {
        played: ranges.reduce((sum, [from, to]) => sum + to - from, 0),
        distinct,
        percent: duration ? Math.floor((100 * distinct) / (duration * 1_000)) : null,
      };
    });
    const found = await playedIn(
      sessions.map(({ ranges, duration }) => ({
        segments: ranges.map(([from, to]): Segment => [seconds(from), seconds(to)]),
        duration,
      })),
    );
    expect(found).toEqual(marked);
  });

  test.each([
    [0, 100, 0],
    [199, 200, 99],
    [199.999, 200, 99],
    [200, 200, 100],
    [250, 200, 100],
    [40, null, null],
    [0, 0, null],
  ])(
    'of %d distinct seconds in a recording of %p s complete %p percent',
    async (distinct, duration, percent) => {
      const [row] = await database.db.$queryRaw<{ percent: number | null }[]>`
      SELECT completion_percent(${distinct * 1_000}::bigint, ${duration}::int) AS percent`;
      expect(row?.percent).toBe(percent);
    },
  );
});
