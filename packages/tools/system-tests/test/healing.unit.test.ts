import { expect, test } from '@jest/globals';
import { findHealing } from '../src/faults/healing.ts';
import type { Arrival } from '../src/faults/watched-receiver.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
const arrival = (id: number, ms: number, isTaken = true) =>
  ({ deliveryId: String(id), isTaken, request: { receivedAt: at(ms) } }) as Arrival;
/** Captured at 0, 100 and 900 milliseconds. */
const DELIVERIES = [0, 100, 900].map((ms, n) => ({ id: BigInt(n + 1), createdAt: at(ms) }));

test.each([
  [
    'the last delivery that was captured before the end arrives after newer ones',
    [500],
    [arrival(1, 50), arrival(3, 950), arrival(2, 5_500)],
    { nextMs: 450, caughtUpMs: 5_000 },
  ],
  [
    'all of them had arrived, so the next one decides',
    [500],
    [arrival(1, 50), arrival(2, 150), arrival(3, 950)],
    { nextMs: 450, caughtUpMs: 450 },
  ],
  [
    'a request that the receiver refuses is the next one, but no delivery',
    [500],
    [arrival(1, 600, false), arrival(1, 2_500)],
    { nextMs: 100, caughtUpMs: 2_000 },
  ],
  [
    'a repeated delivery counts when it came first',
    [500],
    [arrival(1, 50), arrival(2, 60), arrival(1, 600), arrival(2, 9_000)],
    { nextMs: 100, caughtUpMs: 100 },
  ],
  [
    'of several faults, the longest times',
    [40, 500, 1_600],
    [arrival(1, 100), arrival(2, 1_500), arrival(3, 1_700)],
    { nextMs: 1_000, caughtUpMs: 1_000 },
  ],
  ['nothing arrives any more', [500], [arrival(1, 50), arrival(2, 150)], null],
  ['no fault ended', [], [arrival(1, 50)], null],
])('%s', (_name, ends, arrivals, expected) => {
  expect(findHealing(ends.map(at), DELIVERIES, arrivals)).toEqual(expected);
});
