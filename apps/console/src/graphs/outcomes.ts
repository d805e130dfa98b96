import type { components } from '../api/generated/console.ts';
import { count, share } from '../text/numbers.ts';
import { duration } from '../text/times.ts';

/** The sums over a period. */
export type Totals = components['schemas']['AttemptTotals'];

/** How the outcomes of attempts are called and coloured in every chart. */
export const OUTCOMES = {
  delivered: { label: 'Delivered', color: 'teal-6' },
  failed: { label: 'Failed', color: 'red-6' },
  refused: { label: 'Not sent', color: 'gray-5' },
} as const;

/** The outcomes of attempts in a sentence, for a chart's text alternative. */
export function outcomesInWords({ delivered, failed, meanDurationMs }: Totals): string {
  const parts = [`${count(delivered)} delivered`, `${count(failed)} failed`];
  if (meanDurationMs !== null) parts.push(`${duration(meanDurationMs)} on average`);
  return parts.join(', ');
}

/** The part of attempts that succeeded, in words. */
export function successInWords({ successRate }: Totals): string {
  return successRate === null ? 'no attempts' : share(successRate);
}
