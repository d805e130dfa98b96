const WHOLE = new Intl.NumberFormat('en');
const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Formats a whole number with separators. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** Formats a number that was counted up to a maximum. "5,000+" means that there are more. */
export function boundedCount(value: number, isExact: boolean): string {
  return isExact ? count(value) : `${count(value)}+`;
}

/** Formats a share of 1 as a percentage. Only a complete share is shown as 100 %. */
export function share(value: number): string {
  return SHARE.format(value < 1 ? Math.min(value, 0.999) : value);
}
