import type { Database, Transaction } from '@deal-signals/db/database';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { type FeedTransaction, inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { PING } from '@deal-signals/outbox/event-types';
import { createBatcher } from '@deal-signals/runtime/batcher';
import { announceDisabling, type DisablingReason } from '../endpoints/announce-disabling.ts';
import { disableEndpoint, verifyEndpoint } from '../endpoints/change-state.ts';
import type { Attempt } from './begin-attempt.ts';
import {
  type AttemptResult,
  outcomeOf,
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
 * The time from one statement to the next: attempts that end within it are recorded together. The receivers have their
 * deliveries by then, and for what is attempted again it is too short to matter.
 */
const MIN_INTERVAL_MS = 20;

/** The group of everything that is not waiting for its endpoint. */
const ANY_ENDPOINT = '';

/**
 * Records outcomes in groups: the attempts that end while a statement is under way, or soon after it began, are recorded with
 * the next one. What a group writes is what it would write of its attempts one after the other, in the order in which they ended.
 *
 * The first group waits for no endpoint. Whoever finds the endpoint locked, by another worker or by a management write,
 * waits for it in a second group, of that endpoint alone. So an endpoint that somebody holds delays no other, and takes one
 * connection, however many of its attempts end meanwhile.
 *
 * What a group cannot record is recorded one by one by `recordOutcome`: outcomes that change what their endpoint is, and all of a
 * group whose statement failed, so that one of them cannot spoil the others.
 */
export function recordOutcomesInBatches(db: Database, rules: OutcomeRules): RecordOutcome {
  const oneByOne = createBatcher<EndedAttempt, Recorded | Failure>(
    (ended) => recordInTurn(db, rules, ended),
    {
      maxSize: MAX_BATCH_SIZE,
    },
  );
  const atOnce = createBatcher<EndedAttempt, Recorded | null>(
    // Whoever would overtake those that wait for the endpoint joins them: failures are counted in the order of their ends.
    (ended) =>
      recordTogether(db, rules, ended, Prisma.sql`SKIP LOCKED`, (endpoint) => oneByOne.isBusy(endpoint)),
    { maxSize: MAX_BATCH_SIZE, minIntervalMs: MIN_INTERVAL_MS },
  );
  return async (attempt, result) => {
    const ended = { attempt, result };
    const recorded = await atOnce.add(ANY_ENDPOINT, ended);
    if (recorded !== null) return recorded;
    const late = await oneByOne.add(endpointOf(ended), ended);
    if (late instanceof Failure) throw late.error;
    return late;
  };
}

/** Why one outcome of a group could not be recorded. */
class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Records outcomes of one endpoint: together as far as possible, and the others one after the other. */
async function recordInTurn(
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
    // The others would wait just as long, one after the other.
    if (one instanceof Failure && databaseFailure(one.error)?.isTemporary) outage = one;
  }
  return results;
}

/**
 * @param isAwaited whether others wait for an endpoint, so that its attempts must be left out.
 * @returns what was recorded of each attempt; null for those that were left out.
 */
async function recordTogether(
  db: Database,
  rules: OutcomeRules,
  ended: readonly EndedAttempt[],
  ifLocked: Prisma.Sql,
  isAwaited: (endpoint: string) => boolean = () => false,
): Promise<(Recorded | null)[]> {
  const exceptional = new Set(ended.filter(isExceptional).map(endpointOf));
  const plain = ended.flatMap((one, index) =>
    exceptional.has(endpointOf(one)) || isAwaited(endpointOf(one)) ? [] : [{ ...one, index }],
  );
  const results: (Recorded | null)[] = ended.map(() => null);
  if (plain.length === 0) return results;
  try {
    for (const written of await writeOutcomes(db, plain, { rules, ifLocked, mayDisable: false })) {
      results[written.index] = recordedOf(ended[written.index]!.result, written, false);
    }
  } catch (error) {
    if (databaseFailure(error)?.isTemporary) throw error;
  }
  return results;
}

function endpointOf({ attempt: { companyId, endpointId } }: EndedAttempt): string {
  return `${companyId}:${endpointId}`;
}

/**
 * Whether an outcome may change what its endpoint is: a 410 disables it, and a test event may verify it. All attempts of the
 * endpoint then wait for their turn, so that they are recorded in the order in which they ended.
 */
function isExceptional({ attempt, result }: EndedAttempt): boolean {
  return attempt.eventType === PING || outcomeOf(result) === 'gone';
}

function recordedOf(
  result: AttemptResult,
  { status, error }: WrittenOutcome,
  endpointDisabled: boolean,
): Recorded {
  return { written: true, outcome: outcomeOf(result), error, status, endpointDisabled };
}

/**
 * Records the outcome of one attempt in a transaction, with what it means for its endpoint: a test event that succeeded verifies it; a
 * 410, or one failure too many, disables it, with an audit record and the event that tells the other endpoints.
 *
 * That record and that event need the feed clock, which comes before the lock of the endpoint. So whatever may disable an endpoint
 * takes it first; by way of the groups, that is hardly any outcome.
 */
export function recordOutcome(
  db: Database,
  rules: OutcomeRules,
  attempt: Attempt,
  result: AttemptResult,
): Promise<Recorded> {
  const outcome = outcomeOf(result);
  const options: WriteOptions = { rules, ifLocked: Prisma.empty, mayDisable: true };
  const write = async (tx: Transaction) =>
    (await writeOutcomes(tx, [{ attempt, result, index: 0 }], options))[0];
  const { companyId, endpointId, url } = attempt;

  if (outcome === 'gone' || (outcome === 'failed' && attempt.eventType !== PING)) {
    return inFeedTransaction(db, companyId, async (feed) => {
      const written = await write(feed.tx);
      if (written === undefined) return { written: false };
      const isDisabled = await disableIfCalledFor(feed, rules, endpointId, outcome);
      return recordedOf(result, written, isDisabled);
    });
  }
  return db.transaction(async (tx) => {
    const written = await write(tx);
    if (written === undefined) return { written: false };
    if (outcome === 'delivered' && attempt.eventType === PING)
      await verifyEndpoint(tx, companyId, endpointId, url);
    return recordedOf(result, written, false);
  });
}

/** @returns whether the endpoint was enabled, and had to be disabled after what was just written. */
async function disableIfCalledFor(
  feed: FeedTransaction,
  rules: OutcomeRules,
  endpointId: number,
  outcome: 'gone' | 'failed',
): Promise<boolean> {
  const { tx, companyId } = feed;
  const [endpoint] = await tx.$queryRaw<[{ enabled: boolean; failures: number; failingForMs: number }]>`
    SELECT enabled, consecutive_failures AS failures,
      -- The column is rounded to milliseconds, so it may lie a moment ahead.
      greatest(0, 1000 * extract(epoch FROM clock_timestamp() - failing_since))::float8 AS "failingForMs"
    FROM webhook_endpoints WHERE company_id = ${companyId} AND id = ${endpointId}`;
  const { enabled, failures, failingForMs } = endpoint;
  // At least, not exactly: attempts of one endpoint end concurrently, and the limit may have been lowered.
  const isTooMuch = failures >= rules.disableAfter && failingForMs >= rules.disableMinOutageMs;
  if (!enabled || (outcome !== 'gone' && !isTooMuch)) return false;
  const reason: DisablingReason = outcome === 'gone' ? 'gone' : 'failures';
  const disabledReason =
    reason === 'gone' ? 'the receiver responded with 410 Gone' : `${failures} consecutive failed attempts`;
  await disableEndpoint(tx, companyId, endpointId, disabledReason);
  await announceDisabling(feed, endpointId, { reason, disabledReason, consecutiveFailures: failures });
  return true;
}
