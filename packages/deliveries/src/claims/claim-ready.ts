import type { Queryable } from '@deal-signals/db/queryable';
import { claimLanes } from './claim-lanes.ts';
import type { Claim, ClaimLimits } from './claim.ts';
import { allocateSlots } from './allocate-slots.ts';
import { findReady } from './find-ready.ts';

/** Runs the statements of a claim. */
type Querying = Pick<Queryable, 'query'>;

/** The claims of a tick, and the workspaces that it visited. */
export interface Claimed {
  claims: Claim[];
  /** The argument for `rotateWorkspaces`. */
  workspaces: number[];
}

/**
 * Claims ready deliveries, shared fairly between workspaces. Two dispatchers never claim the same delivery.
 *
 * It visits the workspaces that have waited longest in `workspace_queue`, at most as many as the batch has slots, and their
 * endpoints that have ready deliveries. The batch is allocated round by round: one slot to each workspace, then a second one to
 * each, and so on. So one workspace's backlog does not delay the others, and a single workspace gets the whole batch in id order.
 * Within a workspace, fresh deliveries come before requeued dead letters.
 *
 * An endpoint or a workspace that holds its maximum of claims gets no more. So if a receiver hangs, or all receivers of a
 * workspace, the remaining capacity of the workers goes to the others. These limits are approximate, since two concurrent ticks
 * may each fill them. A delivery is still claimed only once.
 *
 * The rate limit of an endpoint is exact for any minute and any number of dispatchers: a dispatcher locks it before it claims for
 * the endpoint. An endpoint whose rate limit is locked is skipped.
 *
 * The cost does not depend on the number of waiting deliveries or workspaces. If the queue is empty, it is one statement that
 * reads no rows.
 */
export function claimReady(db: Queryable, limits: ClaimLimits): Promise<Claimed> {
  return claim(db, limits, false);
}

/**
 * Claims like `claimReady` in a transaction, unless another caller of this function is still running; then it claims nothing.
 * Otherwise dispatchers that are woken together would each fill the limits.
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
