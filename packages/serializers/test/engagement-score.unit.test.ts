import { describe, expect, test } from '@jest/globals';
import { engagementScore } from '../src/room-metrics/engagement-score.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (days: number, seconds = 0) => new Date(now.getTime() - days * DAY_MS - seconds * 1_000);
const quiet = { lastActivityAt: null, engagedPeople: 0, bestCompletionPercent: 0, docsOpened: 0 };

describe('engagement score', () => {
  test.each([
    ['no activity', null, 0],
    ['activity now', now, 40],
    ['activity dated in the future', new Date(now.getTime() + DAY_MS), 40],
    ['3 days to the second', ago(3), 40],
    ['3 days and a second', ago(3, 1), 30],
    ['7 days to the second', ago(7), 30],
    ['7 days and a second', ago(7, 1), 20],
    ['14 days to the second', ago(14), 20],
    ['14 days and a second', ago(14, 1), 10],
    ['30 days to the second', ago(30), 10],
    ['30 days and a second', ago(30, 1), 0],
  ])('recency: %s', (_name, lastActivityAt, points) => {
    expect(engagementScore({ ...quiet, lastActivityAt }, now)).toBe(points);
  });

  test.each([
    [0, 0],
    [1, 10],
    [2, 20],
    [3, 30],
    [4, 30],
    [5, 30],
  ])('breadth: %d engaged people', (engagedPeople, points) => {
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
  ])('depth: best completion of %d percent', (bestCompletionPercent, points) => {
    expect(engagementScore({ ...quiet, bestCompletionPercent }, now)).toBe(points);
  });

  test.each([
    [0, 0],
    [1, 5],
    [2, 10],
    [3, 15],
    [4, 15],
    [5, 15],
  ])('depth: %d documents opened', (docsOpened, points) => {
    expect(engagementScore({ ...quiet, docsOpened }, now)).toBe(points);
  });

  test('everything at its best is 100', () => {
    const best = { lastActivityAt: now, engagedPeople: 9, bestCompletionPercent: 100, docsOpened: 9 };
    expect(engagementScore(best, now)).toBe(100);
  });
});
