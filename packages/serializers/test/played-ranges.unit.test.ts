import { randomNumbers } from '@deal-signals/test-kit/worlds/random';
import { describe, expect, test } from '@jest/globals';
import {
  completionPercent,
  distinctSeconds,
  playedSeconds,
  type Segment,
} from '../src/engagement/played-ranges.ts';

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
    ['an empty range', [[5, 5]], 100, { played: 0, distinct: 0 }],
  ];

  test.each(cases)(
    'with %s have their played and distinct seconds',
    (_name, segments, duration, { played, distinct }) => {
      expect(playedSeconds(segments)).toBe(played);
      expect(distinctSeconds(segments, duration)).toBe(distinct);
    },
  );

  test('have as many distinct seconds as marking each second finds, in random sessions', () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 300; round += 1) {
      const duration = 1 + random(60);
      const segments = Array.from({ length: random(6) }, (): Segment => {
        const from = random(70);
        return [from, from + random(20)];
      });
      const seconds = new Set<number>();
      for (const [from, to] of segments)
        for (let s = from; s < Math.min(to, duration); s += 1) seconds.add(s);
      const distinct = distinctSeconds(segments, duration);
      expect({ segments, distinct }).toEqual({ segments, distinct: seconds.size });
    }
  });

  test.each([
    [0, 100, 0],
    [199, 200, 99],
    [200, 200, 100],
    [250, 200, 100],
    [40, null, null],
    [0, 0, null],
  ])('of %d distinct seconds in a recording of %p s complete %p percent', (distinct, duration, percent) => {
    expect(completionPercent(distinct, duration)).toBe(percent);
  });
});
