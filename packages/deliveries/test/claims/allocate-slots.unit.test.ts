import { describe, expect, test } from '@jest/globals';
import { allocateSlots, type ReadyEndpoint } from '../../src/claims/allocate-slots.ts';

const ready = (companyId: number, fields: Partial<ReadyEndpoint> = {}): ReadyEndpoint => ({
  companyId,
  endpointId: 1,
  freshId: BigInt(companyId),
  requeuedId: null,
  room: 50,
  isRateLimited: false,
  claimable: 50,
  ...fields,
});

/** The number of slots of each workspace. */
const slots = (endpoints: readonly ReadyEndpoint[], batch: number) =>
  Object.fromEntries(allocateSlots(endpoints, batch).map((lane) => [lane.companyId, lane.slots]));

/** The lanes as endpoint ids; the ids of requeued lanes are negative. */
const lanes = (endpoints: readonly ReadyEndpoint[], batch: number) =>
  allocateSlots(endpoints, batch).map(({ endpointId, isRequeued }) =>
    isRequeued ? -endpointId : endpointId,
  );

describe('the slots of a batch', () => {
  test('are allocated round by round', () => {
    expect(slots([ready(1), ready(2), ready(3)], 9)).toEqual({ 1: 3, 2: 3, 3: 3 });
  });

  test('go to the others if a workspace cannot use them', () => {
    expect(slots([ready(1), ready(2, { claimable: 2 }), ready(3)], 10)).toEqual({ 1: 4, 2: 2, 3: 4 });
  });

  test('are left over if no workspace can use them', () => {
    expect(slots([ready(1, { claimable: 2 }), ready(2, { claimable: 1 })], 10)).toEqual({ 1: 2, 2: 1 });
    expect(slots([], 10)).toEqual({});
  });

  test('give each workspace one before any gets a second', () => {
    const workspaces = Array.from({ length: 50 }, (_, n) => ready(n + 1));
    expect(Object.values(slots(workspaces, 50))).toEqual(Array.from({ length: 50 }, () => 1));
  });

  test('go in the last round to the workspaces with the oldest first deliveries', () => {
    const workspaces = [ready(1, { freshId: 30n }), ready(2, { freshId: 20n }), ready(3, { freshId: 10n })];
    expect(slots(workspaces, 5)).toEqual({ 1: 1, 2: 2, 3: 2 });
    expect(slots(workspaces, 2)).toEqual({ 2: 1, 3: 1 });
  });

  test('never exceed the batch, and none is left while a workspace could use it', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const workspaces = Array.from({ length: seed % 13 }, (_, n) =>
        ready(n + 1, { claimable: 1 + ((seed * (n + 7)) % 20) }),
      );
      const batch = 1 + (seed % 60);
      const allocated = slots(workspaces, batch);
      const claimable = workspaces.reduce((sum, workspace) => sum + workspace.claimable, 0);
      expect(Object.values(allocated).reduce((sum, one) => sum + one, 0)).toBe(Math.min(batch, claimable));
      for (const { companyId, claimable: max } of workspaces) {
        const own = allocated[companyId] ?? 0;
        expect(own).toBeLessThanOrEqual(max);
        // No other workspace is more than a round ahead of one that could use another slot.
        if (own < max) expect(Math.max(...Object.values(allocated))).toBeLessThanOrEqual(own + 1);
      }
    }
  });
});

describe('the lanes of a workspace', () => {
  const endpoints = [
    ready(1, { endpointId: 1, freshId: 30n, requeuedId: 1n }),
    ready(1, { endpointId: 2, freshId: 10n }),
    ready(1, { endpointId: 3, freshId: null, requeuedId: 2n }),
    ready(1, { endpointId: 4, freshId: 20n }),
  ];

  test('begin with the lowest ids, the fresh ones first', () => {
    expect(lanes(endpoints, 50)).toEqual([2, 4, 1, -1, -3]);
  });

  test('are limited to those that can get one of its slots', () => {
    expect(lanes(endpoints, 1)).toEqual([2]);
    expect(lanes(endpoints, 2)).toEqual([2, 4]);
  });

  test('continue after an endpoint that has both, because it may have room for only one delivery', () => {
    const both = ready(1, { endpointId: 1, freshId: 30n, requeuedId: 1n, room: 1 });
    expect(lanes([both, ready(1, { endpointId: 3, freshId: null, requeuedId: 2n })], 2)).toEqual([1, -1, -3]);
  });
});
