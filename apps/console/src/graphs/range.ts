import type { operations } from '../api/generated/console.ts';

/** A period over which attempts are counted. */
export type Range = NonNullable<NonNullable<operations['getDeliveryCounts']['parameters']['query']>['range']>;

/** The default period. */
export const DEFAULT_RANGE: Range = 'day';

/** The available periods with their labels. */
export const RANGES: readonly { value: Range; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
];

/** Reads the period from an address, which omits the default. */
export function readRange(value: unknown): { range?: Range } {
  const known = RANGES.find((range) => range.value === value)?.value;
  return known === undefined || known === DEFAULT_RANGE ? {} : { range: known };
}
