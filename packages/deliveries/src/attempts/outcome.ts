import type { DeliveryStatus } from '@deal-signals/db/generated/client';
import type { SendResult } from '@deal-signals/sending/guard/guarded-send';
import type { WebhookSettings } from '../settings.ts';
import type { Attempt } from './begin-attempt.ts';

/**
 * The outcome of an attempt for its delivery.
 * - `delivered`: the receiver accepted it.
 * - `gone`: the receiver wants no more deliveries of any kind.
 * - `not_sent`: nothing was sent, for a reason on our side. The delivery is retried, and the endpoint's failures do not change.
 * - `failed`: everything else. The delivery is retried.
 */
export type Outcome = 'delivered' | 'failed' | 'gone' | 'not_sent';

/** The result of a completed attempt. An attempt that was interrupted by a shutdown does not count. */
export type AttemptResult = Exclude<SendResult, { kind: 'interrupted' }>;

/** The recorded outcome of an attempt. */
export type Recorded =
  | {
      written: true;
      outcome: Outcome;
      error: string | null;
      /** The delivery's new status. */
      status: DeliveryStatus;
      /** Whether this attempt disabled the endpoint. */
      endpointDisabled: boolean;
    }
  /** Nothing was written: the lease ended, and the claim is no longer held. */
  | { written: false };

/** The settings that decide what follows a failure. */
export type OutcomeRules = Pick<
  WebhookSettings,
  'retryScheduleMs' | 'maxAttempts' | 'disableAfter' | 'disableMinOutageMs'
> & {
  /** Whether the operator is alerted too. */
  alertsOperator?: boolean;
};

/** Records the outcome of an attempt. */
export type RecordOutcome = (attempt: Attempt, result: AttemptResult) => Promise<Recorded>;

const GONE = 410;

/**
 * Classifies a result. Any 2xx status is a success, and 410 means that the receiver wants no more deliveries. A redirect is a
 * failure like any other status: following it would send signed data to a URL that was never registered.
 */
export function classifyResult(result: AttemptResult): Outcome {
  if (result.kind !== 'responded') return result.kind;
  if (result.status === GONE) return 'gone';
  return result.status >= 200 && result.status <= 299 ? 'delivered' : 'failed';
}

/** Returns the error of an attempt that got a response, as the delivery log shows it; null if the attempt succeeded. */
export function describeResponse(status: number, outcome: Outcome): string | null {
  return outcome === 'delivered' ? null : `receiver responded with ${status}`;
}
