/** An endpoint that has something to claim. */
export interface ReadyEndpoint {
  companyId: number;
  endpointId: number;
  /** Its first fresh delivery, one that was not requeued. */
  freshId: bigint | null;
  /** Its first requeued delivery. */
  requeuedId: bigint | null;
  /** How many of its deliveries may be claimed, at least one. */
  room: number;
  /** Whether it has a rate limit, which must be locked before its deliveries are claimed. */
  isRateLimited: boolean;
  /** How many deliveries of its workspace may be claimed over all endpoints, at least one. */
  claimable: number;
}

/** The ready deliveries of one endpoint, fresh or requeued, with the slots of its workspace. */
export interface Lane {
  companyId: number;
  endpointId: number;
  isRequeued: boolean;
  room: number;
  isRateLimited: boolean;
  slots: number;
}

/**
 * Allocates the slots of a batch to workspaces, round by round: each gets its first slot before any gets a second. In the last
 * round, the slots go to the workspaces with the oldest first deliveries.
 *
 * @returns the lanes from which these slots are filled.
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

/** Returns the lanes of a workspace in the order of their first deliveries, fresh lanes before requeued ones. */
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

/** Returns the lanes of the first endpoints, one endpoint a slot: since each has at least one delivery, the rest get no slot. */
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
