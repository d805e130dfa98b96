import type { SendResult } from '@deal-signals/sending/guarded-send';

/**
 * What an attempt means for its delivery.
 * - `delivered`: the receiver took it.
 * - `gone`: the receiver wants no more of anything.
 * - `failed`: everything else, to be tried again.
 */
export type Outcome = 'delivered' | 'failed' | 'gone';

/** An attempt that was really made; one that we interrupted ourselves is none. */
export type AttemptResult = Exclude<SendResult, { kind: 'interrupted' }>;

const GONE = 410;

/**
 * Judges a result: any 2xx is a success and 410 asks to stop. A redirect is a failure like any other status, because
 * following it would send signed data to an address that nobody has registered.
 */
export function outcomeOf(result: AttemptResult): Outcome {
  if (result.kind === 'failed') return 'failed';
  if (result.status === GONE) return 'gone';
  return result.status >= 200 && result.status <= 299 ? 'delivered' : 'failed';
}

/** Why an attempt did not succeed, in a few words; null when it did. */
export function errorOf(result: AttemptResult): string | null {
  if (result.kind === 'failed') return result.error;
  return outcomeOf(result) === 'delivered' ? null : `receiver answered ${result.status}`;
}
