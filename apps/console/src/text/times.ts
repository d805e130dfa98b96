const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** Formats a time relative to now, such as "3 minutes ago" or "in 2 hours". */
export function relativeTime(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  const [unit, length] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? (['second', 1_000] as const);
  return RELATIVE.format(Math.trunc(distance / length), unit);
}

/** Formats a time with date and seconds, in the time zone of the reader. */
export function fullTime(at: Date): string {
  return FULL.format(at);
}

/** Formats a duration in a suitable unit, such as "340 ms", "1.2 s" or "3 min". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${(ms / 3_600_000).toFixed(1)} h`;
  return `${(ms / 86_400_000).toFixed(1)} days`;
}

/** Formats an expected duration, in whole minutes from one minute on, such as "1 h 30 min". */
export function hoursAndMinutes(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = days > 0 ? [`${days} d`, `${hours} h`] : [`${hours} h`, `${rest} min`];
  return parts.filter((part) => !part.startsWith('0 ')).join(' ');
}

/** Formats a time for a field of type `datetime-local`: in the time zone of the reader, to the minute. */
export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
