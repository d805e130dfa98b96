import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFailure } from '@deal-signals/db/database-errors';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import { tracing } from '@deal-signals/runtime/tracing';
import { decryptHeaders } from '@deal-signals/sending/headers/custom-headers';
import type { Sender, SendResult } from '@deal-signals/sending/guard/guarded-send';
import { decryptSigningSecret } from '@deal-signals/sending/secrets/signing-secret';
import type { WebhookSettings } from '../settings.ts';
import type { AttemptMetrics } from './attempt-metrics.ts';
import type { Attempt } from './begin-attempt.ts';
import type { AttemptResult, Recorded, RecordOutcome } from './outcome.ts';
import { signAndSend } from './sign-and-send.ts';

/** The dependencies of an attempt. */
export interface AttemptContext {
  record: RecordOutcome;
  sender: Sender;
  settings: WebhookSettings;
  logger: Logger;
  metrics: AttemptMetrics;
}

const RECORD_RETRY_MS = 1_000;

/**
 * Makes an attempt that has begun: signs with the endpoint's current secret, sends, records the outcome, and writes one log line.
 * The worker's deliveries and the API's test events both use this function.
 *
 * Every response or failure of the receiver is an outcome. An exception is a fault on our side, such as an unreachable database:
 * nothing is recorded, and the delivery becomes due again when its lease ends.
 *
 * @param requestId the API request that asked for the attempt, for the log.
 * @returns the recorded outcome; null if the sender was closed during the attempt. That does not count as an attempt, and the
 *   claim is still held.
 */
export function sendAndRecord(
  context: AttemptContext,
  attempt: Attempt,
  requestId?: string,
): Promise<Recorded | null> {
  const run = () => sendAndRecordUntraced(context, attempt, requestId);
  const { traceparent, captureTraceparent, waitedMs } = attempt;
  const traced = { traceparent, captureTraceparent, waitedMs, facts: attemptFacts(attempt) };
  return tracing()?.traceAttempt(traced, run) ?? run();
}

async function sendAndRecordUntraced(
  context: AttemptContext,
  attempt: Attempt,
  requestId: string | undefined,
): Promise<Recorded | null> {
  const startedAtMs = performance.now();
  const facts = {
    ...(requestId !== undefined && { requestId }),
    ...attemptFacts(attempt),
    traceparent: attempt.traceparent,
  };
  context.metrics.observeWait(attempt);
  const result = await send(context, attempt);
  const deliveryMs = attempt.ageMs + (performance.now() - startedAtMs);
  if (result.kind === 'interrupted') {
    context.logger.info('attempt', { ...facts, outcome: 'interrupted' });
    return null;
  }
  try {
    const recorded = await record(context, attempt, result, startedAtMs);
    context.metrics.observe(attempt, result, recorded, deliveryMs);
    // The URL is not logged: its query may contain a secret of the receiver.
    context.logger.info('attempt', { ...facts, ...outcomeFacts(result, recorded) });
    return recorded;
  } catch (error) {
    // The request reached the receiver, so it is logged even though its outcome was not saved.
    const notWritten = { written: false } as const;
    context.metrics.observe(attempt, result, notWritten, deliveryMs);
    context.logger.error('attempt', {
      ...facts,
      ...outcomeFacts(result, notWritten),
      ...describeError(error),
    });
    throw error;
  }
}

/** Returns the log fields that identify an attempt. Every log line about a delivery uses these names. */
export function attemptFacts(attempt: Attempt): Record<string, string | number> {
  return {
    deliveryId: String(attempt.deliveryId),
    eventId: attempt.eventId,
    eventType: attempt.eventType,
    companyId: attempt.companyId,
    endpointId: attempt.endpointId,
    attempt: attempt.attemptInSchedule,
  };
}

async function send({ sender, settings }: AttemptContext, attempt: Attempt): Promise<SendResult> {
  const { companyId, secretCiphertext, previousSecretCiphertext: previous, headersCiphertext } = attempt;
  const keys = settings.secretKeys;
  return signAndSend(sender, settings, {
    ...attempt,
    secret: decryptSigningSecret(keys, companyId, secretCiphertext),
    previousSecret: previous && decryptSigningSecret(keys, companyId, previous),
    customHeaders: headersCiphertext ? decryptHeaders(keys, companyId, headersCiphertext) : [],
  });
}

/**
 * Records the outcome. If the database is temporarily unavailable, it retries for as long as the lease lasts, so that a receiver
 * that accepted the event does not get it twice. Other failures are not retried.
 */
async function record(
  { record: recordOutcome, logger }: AttemptContext,
  attempt: Attempt,
  result: AttemptResult,
  startedAtMs: number,
): Promise<Recorded> {
  const leaseEndMs = startedAtMs + attempt.leaseLeftMs;
  for (;;) {
    try {
      return await recordOutcome(attempt, result);
    } catch (error) {
      const isLastTry = performance.now() + RECORD_RETRY_MS >= leaseEndMs;
      if (isLastTry || databaseFailure(error)?.isTemporary !== true) throw error;
      logger.warn('outcome not recorded yet', { ...attemptFacts(attempt), ...describeError(error) });
      await sleep(RECORD_RETRY_MS);
    }
  }
}

function outcomeFacts(result: AttemptResult, recorded: Recorded): Record<string, unknown> {
  return {
    ...(recorded.written
      ? { outcome: recorded.outcome, deliveryStatus: recorded.status, error: recorded.error }
      : { outcome: 'lost', error: null }),
    statusCode: result.kind === 'responded' ? result.status : null,
    durationMs: result.durationMs,
    // The log has the full error; admins see the one from `redactFailure`.
    ...(result.kind !== 'responded' && { errorDetail: result.detail ?? result.error }),
    ...(recorded.written && recorded.endpointDisabled && { endpointDisabled: true }),
  };
}
