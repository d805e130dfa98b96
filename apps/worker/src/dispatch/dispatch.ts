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

/** What a tick needs. */
export interface DispatchContext {
  db: Database;
  attempts: Queue;
  logger: Logger;
  limits: ClaimLimits;
  /** Where the next tick goes on with the endpoints that are still being reconciled. */
  reconciling: { after: EndpointKey };
}

/** Redis did not take jobs, or did not say how many wait. The cause is its client's error. */
export class QueueUnavailableError extends Error {
  constructor(cause: Error) {
    super(`the attempt queue is unavailable: ${cause.message}`, { cause });
  }
}

/** A short queue is left to the tick, which removes the workspaces that have nothing ready. */
const SHORT_LINE = 20;
/** How long a tick may look for workspaces that have something to claim. The next tick continues where it ends. */
const SEARCH_MS = 2_000;
/** A command that was sent fails after five seconds. BullMQ itself waits for a Redis that was never there, as long as it takes. */
const QUEUE_DEADLINE_MS = 6_000;

/**
 * Runs one tick: deliveries that are due become ready, endpoints that are still being reconciled move another part of their
 * deliveries, and the first deliveries of the ready queue are claimed and become jobs.
 *
 * @throws QueueUnavailableError if the rest is done but for the jobs; errors of the database.
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
  const claimed = await claimAlongTheQueue(context);
  const isNews = claimed > 0 || reconciled > 0;
  logger.log(isNews ? 'info' : 'debug', 'dispatched', { due, reconciled, claimed });
}

/**
 * Claims up to one batch from the workspaces in the queue. A statement looks at as many workspaces as the batch has slots. If
 * they do not fill it, because what they have must wait for a limit, the next ones in the queue get the rest.
 *
 * @returns how many deliveries were claimed.
 */
async function claimAlongTheQueue(context: DispatchContext): Promise<number> {
  const { db } = context;
  const endMs = performance.now() + SEARCH_MS;
  const lookedAt = new Set<number>();
  let claimed = 0;
  for (;;) {
    const left = context.limits.batch - claimed;
    const { claims, workspaces, room } = await claimAndQueue(context, left, (limits) =>
      claimReady(db, limits),
    );
    if (workspaces.length > 0) await db.transaction((tx) => rotateWorkspaces(tx, workspaces));
    claimed += claims.length;
    const isEndOfLine = workspaces.length < room || workspaces.some((id) => lookedAt.has(id));
    if (claims.length === room || isEndOfLine || performance.now() > endMs) return claimed;
    for (const id of workspaces) lookedAt.add(id);
  }
}

/**
 * Claims and queues what is ready between two ticks. Everything else is left to the tick.
 *
 * If several workers are woken, one of them claims. The others need not wait for it: it is woken by every commit that they
 * are woken by.
 *
 * @returns whether there may be more to claim at once: the batch is full, or the queue is.
 */
export async function dispatchReady(context: DispatchContext): Promise<boolean> {
  const { db, logger } = context;
  const { claims, workspaces, room } = await claimAndQueue(context, context.limits.batch, (limits) =>
    db.queryTransaction((tx) => claimReadyAlone(tx, limits)),
  );
  if (workspaces.length > SHORT_LINE) await db.transaction((tx) => rotateWorkspaces(tx, workspaces));
  if (claims.length > 0) logger.debug('dispatched', { claimed: claims.length });
  return claims.length >= room;
}

/**
 * Fills the attempt queue up to one batch, including the claims that already wait there. If it claimed more while attempts are
 * slower than ticks, claims would pile up in the queue and outlive their leases.
 *
 * @param most how many deliveries to claim at most.
 */
async function claimAndQueue(
  { attempts, limits }: DispatchContext,
  most: number,
  claim: (limits: ClaimLimits) => Promise<Claimed>,
): Promise<Claimed & { room: number }> {
  const waiting = await withTimeout(QUEUE_DEADLINE_MS, countWaitingClaims(attempts, limits.batch)).catch(
    unavailable,
  );
  const room = Math.min(most, Math.max(0, limits.batch - waiting));
  if (room === 0) return { claims: [], workspaces: [], room };
  const claimed = await claim({ ...limits, batch: room });
  if (claimed.claims.length > 0) {
    try {
      await withTimeout(QUEUE_DEADLINE_MS, attempts.addBulk(toAttemptJobs(claimed.claims)));
    } catch (error) {
      // Some of the jobs may have been added, so the claims are left to them, or to the end of their leases.
      unavailable(error as Error);
    }
  }
  return { ...claimed, room };
}

function unavailable(error: Error): never {
  throw new QueueUnavailableError(error);
}
