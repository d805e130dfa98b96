import type { Queryable } from '@deal-signals/db/database';
import { claimLanes } from './claim-lanes.ts';
import type { Claim, ClaimLimits } from './claim.ts';
import { allocateSlots } from './allocate-slots.ts';
import { findReady } from './find-ready.ts';

/** Runs the statements of a claim. */
type Querying = Pick<Queryable, 'query'>;

/** What a tick claimed, and the workspaces that it looked at. */
export interface Claimed {
  claims: Claim[];
  /** To be passed to `rotateWorkspaces`. */
  workspaces: number[];
}

/**
 * Claims ready deliveries, shared fairly between the workspaces. Two dispatchers never claim the same delivery.
 *
 * It looks at the workspaces that have waited longest in `workspace_queue`, at most as many as the batch has slots, and within
 * each at the endpoints that have something ready. The batch is allocated round by round: one slot to each workspace, then a second
 * one to each, and so on. So one workspace's backlog does not delay the others, and a single workspace gets the whole batch in id
 * order. Within a workspace, fresh deliveries come before dead letters that were asked for again.
 *
 * An endpoint that holds its limit of claims gets no more: if its receiver hangs, the remaining capacity of the workers
 * is left to other endpoints. A workspace that holds its limit gets no more either, however many endpoints of it hang.
 * The limits are approximate, since two concurrent ticks may each fill them. A delivery is still claimed only once.
 *
 * An endpoint that has a rate limit gets no more than that in any minute, however many dispatchers claim: whoever claims for it
 * has locked its rate limit. If that is locked, the endpoint is left to whoever holds it.
 *
 * The cost does not depend on how many deliveries or workspaces are waiting. If no workspace is listed, it is one statement that reads
 * nothing.
 */
export function claimReady(db: Queryable, limits: ClaimLimits): Promise<Claimed> {
  return claim(db, limits, false);
}

/**
 * Claims as `claimReady` does in a transaction, unless another one that called this function has not ended: then it claims nothing.
 * Dispatchers that are woken together would otherwise each fill the limits.
 */
export function claimReadyAlone(tx: Querying, limits: ClaimLimits): Promise<Claimed> {
  return claim(tx, limits, true);
}

async function claim(db: Querying, limits: ClaimLimits, isAlone: boolean): Promise<Claimed> {
  const { workspaces, endpoints } = await findReady(db, limits, isAlone);
  const lanes = allocateSlots(endpoints, limits.batch);
  const claims = lanes.length > 0 ? await claimLanes(db, lanes, limits.leaseMs) : [];
  return { claims, workspaces };
}
