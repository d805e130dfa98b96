import { expect, test } from '@jest/globals';
import { CONTRACT_SCHEDULE_MS, nextWaitMs, retrySchedule } from '../src/attempts/retry-schedule.ts';

test('the default schedule waits 30 s, 2 m, 10 m, 30 m, 2 h, 6 h, 12 h and 24 h', () => {
  const seconds = CONTRACT_SCHEDULE_MS.map((wait) => wait / 1000);
  expect(seconds).toEqual([30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400]);
  expect(retrySchedule.parse(CONTRACT_SCHEDULE_MS.join())).toEqual(CONTRACT_SCHEDULE_MS);
});

test.each([
  [1, 10],
  [2, 20],
  [3, 30],
  [4, 30],
])('after failure %d of the schedule [10, 20, 30] the wait is %d ms', (failure, waitMs) => {
  expect(nextWaitMs([10, 20, 30], failure)).toBe(waitMs);
});

test('there is no wait before the first failure', () => {
  expect(() => nextWaitMs([10], 0)).toThrow(RangeError);
});

test('a schedule is a list of milliseconds', () => {
  expect(retrySchedule.parse('50, 0,2592000000')).toEqual([50, 0, 2_592_000_000]);
});

test.each(['', '50,', '50;60', '-1', '1.5', '1e3', '2592000001', Array(101).fill('1').join()])(
  'the schedule "%s" is rejected',
  (text) => {
    expect(retrySchedule.safeParse(text).error?.issues[0]?.message).toMatch('waits in milliseconds');
  },
);
