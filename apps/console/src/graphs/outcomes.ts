import type { components } from '../api/generated/console.ts';
import { count, share } from '../text/numbers.ts';
import { duration } from '../text/times.ts';

/** The sums over a period. */
export type Totals = components['schemas']['AttemptTotals'];

/** The labels and colours of attempt results in every chart. */
export const OUTCOMES = {
  delivered: { label: 'Delivered', color: 'teal-6' },
  failed: { label: 'Failed', color: 'red-6' },
  notSent: { label: 'Not sent', color: 'gray-5' },
} as const;

/** Describes the results of attempts in a sentence, for the text alternative of a chart. */
export function outcomesInWords({ delivered, failed, meanDurationMs }: Totals): string {
  const parts = [`${count(delivered)} delivered`, `${count(failed)} failed`];
  if (meanDurationMs !== null) parts.push(`${duration(meanDurationMs)} on average`);
  return parts.join(', ');
}

/** Formats the success rate. */
export function successInWords({ successRate }: Totals): string {
  return successRate === null ? 'no attempts' : share(successRate);
}
