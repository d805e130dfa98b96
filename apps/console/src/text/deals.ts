const AMOUNT = new Intl.NumberFormat('en', { minimumFractionDigits: 0, maximumFractionDigits: 2 });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats the value of a deal in whole units of its currency, which the API does not name. */
export function dealValue(cents: number): string {
  return AMOUNT.format(cents / 100);
}

/** Formats a date without a time, such as "4 Jan 2027". */
export function calendarDay(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`));
}

/** Converts an API name to words: `technical_evaluator` becomes "Technical evaluator". */
export function inWords(name: string): string {
  const words = name.replaceAll(/[_.]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
