import type { Database } from '@deal-signals/db/database';
import type { ClaimLimits } from '@deal-signals/deliveries/claims/claim';
import { claimReady, claimReadyAlone, type Claimed } from '@deal-signals/deliveries/claims/claim-ready';
import { markDue } from '@deal-signals/deliveries/claims/mark-due';
import { rotateWorkspaces } from '@deal-signals/deliveries/claims/workspace-queue';
import { type EndpointKey, reconcileEndpoints } from '@deal-signals/deliveries/endpoints/reconcile';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { withTimeout } from '@deal-signals/runtime/with-timeout';
import type { Queue } from 'bullmq';
import { countWaitingClaims, toAttemptJobs } from '../attempts/queue.ts';

/** The dependencies of a tick. */
export interface DispatchContext {
  db: Database;
  attempts: Queue;
  logger: Logger;
  limits: ClaimLimits;
  /** Where the next tick continues with the endpoints that are being reconciled. */
  reconciling: { after: EndpointKey };
}

/** Redis did not accept jobs, or did not return how many are waiting. The cause is its client's error. */
export class QueueUnavailableError extends Error {
  constructor(cause: Error) {
    super(`the attempt queue is unavailable: ${cause.message}`, { cause });
  }
}

/** Maximum workspaces that a wake leaves at their position, if it has claimed all they had. The tick removes them. */
const SHORT_QUEUE = 20;
/** How long a tick may search for workspaces with claimable deliveries. The next tick continues where this one ends. */
const SEARCH_MS = 2_000;
/** A sent command fails after five seconds. Before its first connection to Redis, BullMQ itself waits without a limit. */
const QUEUE_DEADLINE_MS = 6_000;

/**
 * Runs one tick: due deliveries become ready, endpoints that are being reconciled move another part of their deliveries, and the
 * first deliveries of the ready queue are claimed and become jobs.
 *
 * @throws QueueUnavailableError if everything except the jobs is done; errors of the database.
 */
export async function dispatch(context: DispatchContext): Promise<void> {
  const { db, logger } = context;
  const due = await markDue(db);
  const { moved: reconciled, after } = await reconcileEndpoints(
    db,
    context.reconciling.after,
    (error, endpoint) => logger.error('endpoint not reconciled', { ...endpoint, ...describeError(error) }),
  );
  context.reconciling.after = after;
  const claimed = await claimFromQueue(context);
  const isNews = claimed > 0 || reconciled > 0;
  logger.log(isNews ? 'info' : 'debug', 'deliveries dispatched', { due, reconciled, claimed });
}

/**
 * Claims up to one batch from the workspaces in the queue. A statement visits as many workspaces as the batch has slots. If they
 * do not fill it, because their deliveries must wait for a limit, the next workspaces get the rest.
 *
 * @returns the number of claimed deliveries.
 */
async function claimFromQueue(context: DispatchContext): Promise<number> {
  const { db } = context;
  const endMs = performance.now() + SEARCH_MS;
  const visited = new Set<number>();
  let claimed = 0;
  for (;;) {
    const left = context.limits.batch - claimed;
    const { claims, workspaces, room } = await claimAndQueue(context, left, (limits) =>
      claimReady(db, limits),
    );
    if (workspaces.length > 0) await db.transaction((tx) => rotateWorkspaces(tx, workspaces));
    claimed += claims.length;
    const isEndOfQueue = workspaces.length < room || workspaces.some((id) => visited.has(id));
    if (claims.length === room || isEndOfQueue || performance.now() > endMs) return claimed;
    for (const id of workspaces) visited.add(id);
  }
}

/**
 * Claims and queues ready deliveries between two ticks. Everything else is left to the tick.
 *
 * If several workers are woken, one of them claims. The others need not wait for it, because every commit that wakes them wakes
 * it too.
 *
 * @returns whether there may be more to claim at once: the batch or the job queue is full.
 */
export async function dispatchReady(context: DispatchContext): Promise<boolean> {
  const { db, logger } = context;
  const { claims, workspaces, room } = await claimAndQueue(context, context.limits.batch, (limits) =>
    db.queryTransaction((tx) => claimReadyAlone(tx, limits)),
  );
  // While there is room for few claims at a time, the same workspaces would take all of it, and the tick finds no room at all.
  const isFull = claims.length >= room;
  if (workspaces.length > (isFull ? 0 : SHORT_QUEUE)) {
    await db.transaction((tx) => rotateWorkspaces(tx, workspaces));
  }
  if (claims.length > 0) logger.debug('deliveries dispatched', { claimed: claims.length });
  return isFull;
}

/**
 * Fills the job queue up to one batch, including the claims that already wait in it. If attempts are slower than ticks, further
 * claims would pile up in the queue and outlive their leases.
 *
 * @param limit the maximum number of deliveries to claim.
 */
async function claimAndQueue(
  { attempts, limits }: DispatchContext,
  limit: number,
  claim: (limits: ClaimLimits) => Promise<Claimed>,
): Promise<Claimed & { room: number }> {
  const waiting = await withTimeout(QUEUE_DEADLINE_MS, countWaitingClaims(attempts, limits.batch)).catch(
    unavailable,
  );
  const room = Math.min(limit, Math.max(0, limits.batch - waiting));
  if (room === 0) return { claims: [], workspaces: [], room };
  const claimed = await claim({ ...limits, batch: room });
  if (claimed.claims.length > 0) {
    try {
      await withTimeout(QUEUE_DEADLINE_MS, attempts.addBulk(toAttemptJobs(claimed.claims)));
    } catch (error) {
      // Some of the jobs may have been added, so their claims are not released. The others end with their leases.
      unavailable(error as Error);
    }
  }
  return { ...claimed, room };
}

function unavailable(error: Error): never {
  throw new QueueUnavailableError(error);
}
