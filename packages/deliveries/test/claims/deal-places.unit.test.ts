import { describe, expect, test } from '@jest/globals';
import { dealPlaces, type ReadyEndpoint } from '../../src/claims/deal-places.ts';

const ready = (companyId: number, fields: Partial<ReadyEndpoint> = {}): ReadyEndpoint => ({
  companyId,
  endpointId: 1,
  freshId: BigInt(companyId),
  requeuedId: null,
  room: 50,
  isPaced: false,
  claimable: 50,
  ...fields,
});

/** How many places each workspace gets. */
const places = (endpoints: readonly ReadyEndpoint[], batch: number) =>
  Object.fromEntries(dealPlaces(endpoints, batch).map((lane) => [lane.companyId, lane.places]));

/** The lanes as endpoint ids, requeued ones with a minus. */
const lanes = (endpoints: readonly ReadyEndpoint[], batch: number) =>
  dealPlaces(endpoints, batch).map(({ endpointId, isRequeued }) => (isRequeued ? -endpointId : endpointId));

describe('the places of a batch', () => {
  test('are dealt round by round', () => {
    expect(places([ready(1), ready(2), ready(3)], 9)).toEqual({ 1: 3, 2: 3, 3: 3 });
  });

  test('that a workspace cannot use go to the others', () => {
    expect(places([ready(1), ready(2, { claimable: 2 }), ready(3)], 10)).toEqual({ 1: 4, 2: 2, 3: 4 });
  });

  test('are left over if nobody can use them', () => {
    expect(places([ready(1, { claimable: 2 }), ready(2, { claimable: 1 })], 10)).toEqual({ 1: 2, 2: 1 });
    expect(places([], 10)).toEqual({});
  });

  test('give each workspace one before any gets a second', () => {
    const workspaces = Array.from({ length: 50 }, (_, n) => ready(n + 1));
    expect(Object.values(places(workspaces, 50))).toEqual(Array.from({ length: 50 }, () => 1));
  });

  test('belong in the last round to the workspaces whose first deliveries are oldest', () => {
    const workspaces = [ready(1, { freshId: 30n }), ready(2, { freshId: 20n }), ready(3, { freshId: 10n })];
    expect(places(workspaces, 5)).toEqual({ 1: 1, 2: 2, 3: 2 });
    expect(places(workspaces, 2)).toEqual({ 2: 1, 3: 1 });
  });

  test('are never more than the batch, and none is left while somebody could use it', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const workspaces = Array.from({ length: seed % 13 }, (_, n) =>
        ready(n + 1, { claimable: 1 + ((seed * (n + 7)) % 20) }),
      );
      const batch = 1 + (seed % 60);
      const dealt = places(workspaces, batch);
      const claimable = workspaces.reduce((sum, workspace) => sum + workspace.claimable, 0);
      expect(Object.values(dealt).reduce((sum, one) => sum + one, 0)).toBe(Math.min(batch, claimable));
      for (const { companyId, claimable: most } of workspaces) {
        const own = dealt[companyId] ?? 0;
        expect(own).toBeLessThanOrEqual(most);
        // Nobody else is more than a round ahead of a workspace that could use another place.
        if (own < most) expect(Math.max(...Object.values(dealt))).toBeLessThanOrEqual(own + 1);
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

  test('are as many as can have something for its places', () => {
    expect(lanes(endpoints, 1)).toEqual([2]);
    expect(lanes(endpoints, 2)).toEqual([2, 4]);
  });

  test('go on behind an endpoint that has both, because its room may be for one delivery', () => {
    const both = ready(1, { endpointId: 1, freshId: 30n, requeuedId: 1n, room: 1 });
    expect(lanes([both, ready(1, { endpointId: 3, freshId: null, requeuedId: 2n })], 2)).toEqual([1, -1, -3]);
  });
});
