const WHOLE = new Intl.NumberFormat('en');
const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** A whole number with separators. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** A number that was only counted up to a bound: "5,000+" says that there are more. */
export function boundedCount(value: number, isExact: boolean): string {
  return isExact ? count(value) : `${count(value)}+`;
}

/** A share of 1 as a percentage. It never says 100 % unless everything is in it. */
export function share(value: number): string {
  return SHARE.format(value < 1 ? Math.min(value, 0.999) : value);
}
