/** An endpoint that has something to claim. */
export interface ReadyEndpoint {
  companyId: number;
  endpointId: number;
  /** Its first delivery that was not asked for again. */
  freshId: bigint | null;
  /** Its first delivery that was. */
  requeuedId: bigint | null;
  /** How many of its deliveries may be claimed: at least one. */
  room: number;
  /** Whether it has a rate limit, to be locked before anything of it is claimed. */
  isRateLimited: boolean;
  /** How many deliveries of its workspace may be claimed, over all endpoints: at least one. */
  claimable: number;
}

/** What one endpoint has ready, fresh or requeued, with how many places its workspace has got. */
export interface Lane {
  companyId: number;
  endpointId: number;
  isRequeued: boolean;
  room: number;
  isRateLimited: boolean;
  slots: number;
}

/**
 * Allocates the slots of a batch to workspaces, round by round: each gets its first slot before any gets its second. In the last round,
 * the slots go to the workspaces whose first deliveries are oldest.
 *
 * @returns the lanes in which the deliveries for these slots begin.
 */
export function allocateSlots(endpoints: readonly ReadyEndpoint[], batch: number): Lane[] {
  const workspaces = groupByWorkspace(endpoints).map((own) => ({
    heads: toHeads(own),
    claimable: own[0]!.claimable,
    slots: 0,
  }));
  workspaces.sort((a, b) => compare(a.heads[0]!.id, b.heads[0]!.id));
  let left = batch;
  for (let waiting = workspaces; waiting.length > 0 && left > 0;) {
    for (const workspace of waiting.slice(0, left)) workspace.slots += 1;
    left -= waiting.length;
    waiting = waiting.filter(({ slots, claimable }) => slots < claimable);
  }
  return workspaces.flatMap(({ heads, slots }) => firstLanes(heads, slots));
}

function groupByWorkspace(endpoints: readonly ReadyEndpoint[]): ReadyEndpoint[][] {
  const groups = new Map<number, ReadyEndpoint[]>();
  for (const endpoint of endpoints) {
    const group = groups.get(endpoint.companyId);
    if (group === undefined) groups.set(endpoint.companyId, [endpoint]);
    else group.push(endpoint);
  }
  return [...groups.values()];
}

type Head = Omit<Lane, 'slots'> & { id: bigint };

/** The lanes of a workspace in the order of their first deliveries, the fresh ones before the requeued ones. */
function toHeads(endpoints: readonly ReadyEndpoint[]): Head[] {
  const heads = endpoints.flatMap(({ companyId, endpointId, freshId, requeuedId, room, isRateLimited }) => {
    const lane = { companyId, endpointId, room, isRateLimited };
    return [
      ...(freshId === null ? [] : [{ ...lane, isRequeued: false, id: freshId }]),
      ...(requeuedId === null ? [] : [{ ...lane, isRequeued: true, id: requeuedId }]),
    ];
  });
  return heads.toSorted((a, b) => Number(a.isRequeued) - Number(b.isRequeued) || compare(a.id, b.id));
}

/** Leaves out lanes that begin behind as many deliveries as there are slots: each endpoint before has one at least. */
function firstLanes(heads: readonly Head[], slots: number): Lane[] {
  const lanes: Lane[] = [];
  const endpointIds = new Set<number>();
  for (const { id: _, ...lane } of heads) {
    if (endpointIds.size === slots) break;
    endpointIds.add(lane.endpointId);
    lanes.push({ ...lane, slots });
  }
  return lanes;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
