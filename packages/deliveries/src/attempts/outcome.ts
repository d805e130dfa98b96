import type { SendResult } from '@deal-signals/sending/guarded-send';

/**
 * What an attempt means for its delivery.
 * - `delivered`: the receiver accepted it.
 * - `gone`: the receiver wants no more deliveries of any kind.
 * - `failed`: everything else; the delivery is retried.
 */
export type Outcome = 'delivered' | 'failed' | 'gone';

/** The result of an attempt that was made. One that we interrupted ourselves does not count as an attempt. */
export type AttemptResult = Exclude<SendResult, { kind: 'interrupted' }>;

const GONE = 410;

/**
 * Judges a result: any 2xx is a success, and 410 asks us to stop. A redirect is a failure like any other status, because
 * following it would send signed data to a URL that nobody registered.
 */
export function outcomeOf(result: AttemptResult): Outcome {
  if (result.kind === 'failed') return 'failed';
  if (result.status === GONE) return 'gone';
  return result.status >= 200 && result.status <= 299 ? 'delivered' : 'failed';
}

/** Why an attempt failed, in a few words; null if it succeeded. */
export function errorOf(result: AttemptResult): string | null {
  if (result.kind === 'failed') return result.error;
  return outcomeOf(result) === 'delivered' ? null : `receiver answered ${result.status}`;
}
