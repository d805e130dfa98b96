import type { Database, Transaction } from '@deal-signals/db/database';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { PING } from '@deal-signals/outbox/event-types';
import { createBatcher } from '@deal-signals/runtime/batcher';
import { insertDisabledAlerts } from '../alerts/insert-alerts.ts';
import { announceDisabling, type DisablingReason } from '../endpoints/announce-disabling.ts';
import { disableEndpoint, verifyEndpoint } from '../endpoints/change-state.ts';
import type { Attempt } from './begin-attempt.ts';
import {
  type AttemptResult,
  classifyResult,
  type OutcomeRules,
  type Recorded,
  type RecordOutcome,
} from './outcome.ts';
import {
  type EndedAttempt,
  type WriteOptions,
  type WrittenOutcome,
  writeOutcomes,
} from './write-outcomes.ts';

/** Bounds how long one statement locks its endpoints and deliveries. */
const MAX_BATCH_SIZE = 100;

/**
 * The minimum time between the starts of two statements; attempts that end within it are recorded together. It delays no
 * receiver, and it is short compared with the wait before a retry.
 */
const MIN_INTERVAL_MS = 20;

/** The key of the batches that do not wait for a locked endpoint. */
const ANY_ENDPOINT = '';

/**
 * Records outcomes in batches: attempts that end while a statement is running, or shortly after it began, are recorded with the
 * next one. A batch writes what its attempts would write one after the other, in the order in which they ended.
 *
 * The first batch skips endpoints that another worker or a management request has locked. Their attempts wait in a second batch,
 * one for each endpoint. So a locked endpoint delays no other endpoint and takes one connection, however many of its attempts
 * end.
 *
 * Outcomes that a batch cannot record are recorded one by one with `recordOutcome`: those that change the state of their
 * endpoint, and all outcomes of a batch whose statement failed, so that one bad outcome does not affect the rest.
 */
export function recordOutcomesInBatches(db: Database, rules: OutcomeRules): RecordOutcome {
  const oneByOne = createBatcher<EndedAttempt, Recorded | Failure>(
    (ended) => recordInOrder(db, rules, ended),
    { maxSize: MAX_BATCH_SIZE },
  );
  const atOnce = createBatcher<EndedAttempt, Recorded | null>(
    // An attempt joins those that wait for its endpoint rather than overtaking them: failures are counted in the order in which
    // attempts ended.
    (ended) =>
      recordTogether(db, rules, ended, Prisma.sql`SKIP LOCKED`, (endpoint) => oneByOne.isBusy(endpoint)),
    { maxSize: MAX_BATCH_SIZE, minIntervalMs: MIN_INTERVAL_MS },
  );
  return async (attempt, result) => {
    const ended = { attempt, result };
    const recorded = await atOnce.add(ANY_ENDPOINT, ended);
    if (recorded !== null) return recorded;
    const late = await oneByOne.add(endpointKey(ended), ended);
    if (late instanceof Failure) throw late.error;
    return late;
  };
}

/** The error of one outcome of a batch. */
class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Records outcomes of one endpoint: together where possible, and the rest one after the other. */
async function recordInOrder(
  db: Database,
  rules: OutcomeRules,
  ended: readonly EndedAttempt[],
): Promise<(Recorded | Failure)[]> {
  const recorded = await recordTogether(db, rules, ended, Prisma.empty);
  const results: (Recorded | Failure)[] = [];
  let outage: Failure | null = null;
  for (const [index, { attempt, result }] of ended.entries()) {
    const one: Recorded | Failure =
      recorded[index] ??
      outage ??
      (await recordOutcome(db, rules, attempt, result).catch((error: unknown) => new Failure(error)));
    results.push(one);
    // A temporary failure would make each of the remaining ones wait as long.
    if (one instanceof Failure && databaseFailure(one.error)?.isTemporary) outage = one;
  }
  return results;
}

/**
 * Records outcomes in one statement where that is possible.
 *
 * @param isAwaited reports whether attempts already wait for an endpoint, so that its attempts must be left out.
 * @returns the recorded outcome of each attempt; null for those that were left out.
 */
async function recordTogether(
  db: Database,
  rules: OutcomeRules,
  ended: readonly EndedAttempt[],
  ifLocked: Prisma.Sql,
  isAwaited: (endpoint: string) => boolean = () => false,
): Promise<(Recorded | null)[]> {
  const exceptional = new Set(ended.filter(isExceptional).map(endpointKey));
  const plain = ended.flatMap((one, index) =>
    exceptional.has(endpointKey(one)) || isAwaited(endpointKey(one)) ? [] : [{ ...one, index }],
  );
  const results: (Recorded | null)[] = ended.map(() => null);
  if (plain.length === 0) return results;
  try {
    for (const written of await writeOutcomes(db, plain, { rules, ifLocked, mayDisable: false })) {
      results[written.index] = toRecorded(ended[written.index]!.result, written, false);
    }
  } catch (error) {
    if (databaseFailure(error)?.isTemporary) throw error;
  }
  return results;
}

function endpointKey({ attempt: { companyId, endpointId } }: EndedAttempt): string {
  return `${companyId}:${endpointId}`;
}

/**
 * Reports whether an outcome may change the state of its endpoint: a 410 disables it, and a test event may verify it. All
 * attempts of that endpoint are then recorded one by one, in the order in which they ended.
 */
function isExceptional({ attempt, result }: EndedAttempt): boolean {
  return attempt.eventType === PING || classifyResult(result) === 'gone';
}

function toRecorded(
  result: AttemptResult,
  { status, error }: WrittenOutcome,
  endpointDisabled: boolean,
): Recorded {
  return { written: true, outcome: classifyResult(result), error, status, endpointDisabled };
}

/**
 * Records the outcome of one attempt in a transaction, with its effects on the endpoint. A successful test event verifies the
 * endpoint. A 410, or one failure too many, disables it, with an audit record and the event that notifies the other endpoints.
 *
 * The audit record and the event need the feed clock, which comes before the endpoint in the lock order. So an outcome that may
 * disable an endpoint takes the feed clock first. Batches leave few such outcomes to this function.
 */
export function recordOutcome(
  db: Database,
  rules: OutcomeRules,
  attempt: Attempt,
  result: AttemptResult,
): Promise<Recorded> {
  const outcome = classifyResult(result);
  const options: WriteOptions = { rules, ifLocked: Prisma.empty, mayDisable: true };
  const write = async (tx: Transaction) =>
    (await writeOutcomes(tx, [{ attempt, result, index: 0 }], options))[0];
  const { companyId, endpointId, url } = attempt;

  if (outcome === 'gone' || (outcome === 'failed' && attempt.eventType !== PING)) {
    return inFeedTransaction(db, companyId, async (feed) => {
      const written = await write(feed.tx);
      if (written === undefined) return { written: false };
      const isDisabled = await disableIfCalledFor(feed, rules, endpointId, outcome);
      return toRecorded(result, written, isDisabled);
    });
  }
  return db.transaction(async (tx) => {
    const written = await write(tx);
    if (written === undefined) return { written: false };
    if (outcome === 'delivered' && attempt.eventType === PING)
      await verifyEndpoint(tx, companyId, endpointId, url);
    return toRecorded(result, written, false);
  });
}

/** @returns whether the endpoint was enabled and is now disabled because of the outcome that was just written. */
async function disableIfCalledFor(
  feed: FeedTransaction,
  rules: OutcomeRules,
  endpointId: number,
  outcome: 'gone' | 'failed',
): Promise<boolean> {
  const { tx, companyId } = feed;
  const [endpoint] = await tx.$queryRaw<[{ enabled: boolean; failures: number; failingForMs: number }]>`
    SELECT enabled, consecutive_failures AS failures,
      -- The column is rounded to milliseconds, so it may be slightly in the future.
      greatest(0, 1000 * extract(epoch FROM clock_timestamp() - failing_since))::float8 AS "failingForMs"
    FROM webhook_endpoints WHERE company_id = ${companyId} AND id = ${endpointId}`;
  const { enabled, failures, failingForMs } = endpoint;
  // Not equality: attempts of one endpoint end concurrently, and the limit may have been lowered.
  const isTooMuch = failures >= rules.disableAfter && failingForMs >= rules.disableMinOutageMs;
  if (!enabled || (outcome !== 'gone' && !isTooMuch)) return false;
  const reason: DisablingReason = outcome === 'gone' ? 'gone' : 'failures';
  const disabledReason =
    reason === 'gone' ? 'the receiver responded with 410 Gone' : `${failures} consecutive failed attempts`;
  await disableEndpoint(tx, companyId, endpointId, disabledReason);
  await announceDisabling(feed, endpointId, { reason, disabledReason, consecutiveFailures: failures });
  await insertDisabledAlerts(tx, companyId, endpointId, rules.alertsOperator ?? false);
  return true;
}
