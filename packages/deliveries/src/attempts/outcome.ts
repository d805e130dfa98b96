import type { DeliveryStatus } from '@deal-signals/db/generated/client';
import type { SendResult } from '@deal-signals/sending/guard/guarded-send';
import type { WebhookSettings } from '../settings.ts';
import type { Attempt } from './begin-attempt.ts';

/**
 * What an attempt means for its delivery.
 * - `delivered`: the receiver accepted it.
 * - `gone`: the receiver wants no more deliveries of any kind.
 * - `refused`: nothing was sent, for a reason on our side; the delivery is retried, and the endpoint's failures stay as
 *   they are.
 * - `failed`: everything else; the delivery is retried.
 */
export type Outcome = 'delivered' | 'failed' | 'gone' | 'refused';

/** The result of an attempt that was made. One that we interrupted ourselves does not count as an attempt. */
export type AttemptResult = Exclude<SendResult, { kind: 'interrupted' }>;

/** What was recorded of an attempt. */
export type Recorded =
  | {
      written: true;
      outcome: Outcome;
      error: string | null;
      /** The delivery's new status. */
      status: DeliveryStatus;
      /** Whether this attempt was the one that disabled the endpoint. */
      endpointDisabled: boolean;
    }
  /** The lease ran out and the claim is no longer held: nothing was written. */
  | { written: false };

/** The parts of the settings that decide what follows a failure. */
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
 * Judges a result: any 2xx is a success, and 410 asks us to stop. A redirect is a failure like any other status, because
 * following it would send signed data to a URL that nobody registered.
 */
export function outcomeOf(result: AttemptResult): Outcome {
  if (result.kind !== 'responded') return result.kind;
  if (result.status === GONE) return 'gone';
  return result.status >= 200 && result.status <= 299 ? 'delivered' : 'failed';
}

/** Why an attempt failed although the receiver responded, in the words of the delivery log; null if it succeeded. */
export function errorOfResponse(status: number, outcome: Outcome): string | null {
  return outcome === 'delivered' ? null : `receiver responded with ${status}`;
}
