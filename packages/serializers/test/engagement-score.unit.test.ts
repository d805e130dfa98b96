import { describe, expect, test } from '@jest/globals';
import { engagementScore } from '../src/room-metrics/engagement-score.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (days: number, seconds = 0) => new Date(now.getTime() - days * DAY_MS - seconds * 1_000);
const quiet = { lastActivityAt: null, engagedPeople: 0, bestCompletionPercent: 0, docsOpened: 0 };

describe('the engagement score', () => {
  test.each([
    ['no activity', 0, null],
    ['activity now', 40, now],
    ['activity dated in the future', 40, new Date(now.getTime() + DAY_MS)],
    ['activity exactly 3 days ago', 40, ago(3)],
    ['activity 3 days and a second ago', 30, ago(3, 1)],
    ['activity exactly 7 days ago', 30, ago(7)],
    ['activity 7 days and a second ago', 20, ago(7, 1)],
    ['activity exactly 14 days ago', 20, ago(14)],
    ['activity 14 days and a second ago', 10, ago(14, 1)],
    ['activity exactly 30 days ago', 10, ago(30)],
    ['activity 30 days and a second ago', 0, ago(30, 1)],
  ])('for %s has %d points', (_name, points, lastActivityAt) => {
    expect(engagementScore({ ...quiet, lastActivityAt }, now)).toBe(points);
  });

  test.each([
    [0, 0],
    [1, 10],
    [2, 20],
    [3, 30],
    [4, 30],
    [5, 30],
  ])('for %d engaged people has %d points', (engagedPeople, points) => {
    expect(engagementScore({ ...quiet, engagedPeople }, now)).toBe(points);
  });

  test.each([
    [0, 0],
    [1, 0],
    [3, 0],
    [4, 1],
    [50, 8],
    [99, 15],
    [100, 15],
  ])('for a best completion of %d percent has %d points', (bestCompletionPercent, points) => {
    expect(engagementScore({ ...quiet, bestCompletionPercent }, now)).toBe(points);
  });

  test.each([
    [0, 0],
    [1, 5],
    [2, 10],
    [3, 15],
    [4, 15],
    [5, 15],
  ])('for %d opened documents has %d points', (docsOpened, points) => {
    expect(engagementScore({ ...quiet, docsOpened }, now)).toBe(points);
  });

  test('is at most 100', () => {
    const best = { lastActivityAt: now, engagedPeople: 9, bestCompletionPercent: 100, docsOpened: 9 };
    expect(engagementScore(best, now)).toBe(100);
  });
});
