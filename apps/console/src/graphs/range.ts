import type { operations } from '../api/generated/console.ts';

/** A period that attempts are counted over. */
export type Range = NonNullable<NonNullable<operations['getDeliveryCounts']['parameters']['query']>['range']>;

/** The period that is shown if none is chosen. */
export const DEFAULT_RANGE: Range = 'day';

/** The periods to choose from, with their names. */
export const RANGES: readonly { value: Range; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
];

/** Reads the period of an address, which leaves the default one out. */
export function readRange(value: unknown): { range?: Range } {
  const known = RANGES.find((range) => range.value === value)?.value;
  return known === undefined || known === DEFAULT_RANGE ? {} : { range: known };
}
