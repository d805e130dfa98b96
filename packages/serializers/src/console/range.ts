/** The periods of counts. Counts are kept for 90 days, so there is no longer period. */
export const RANGES = ['hour', 'day', 'week', 'month', 'quarter'] as const;

/** The name of a period. */
export type Range = (typeof RANGES)[number];

const HOUR_SECONDS = 3_600;

/**
 * The width of a row of counts. An attempt is counted in one row of a minute while those are kept, and in one of an hour or of a
 * day.
 */
type CountWidth = 'minute' | 'hour' | 'day';

const OF_MINUTES: readonly CountWidth[] = ['minute'];
/** Hours are combined into days only after a week, when the charts of the day and the week no longer need them. */
const OF_HOURS: readonly CountWidth[] = ['hour'];
const OF_DAYS: readonly CountWidth[] = ['hour', 'day'];

/** The division of each period, and the rows that its buckets are summed from. */
const DIVISIONS: Record<Range, Pick<Period, 'bucketSeconds' | 'widths'> & { buckets: number }> = {
  hour: { buckets: 60, bucketSeconds: 60, widths: OF_MINUTES },
  day: { buckets: 24, bucketSeconds: HOUR_SECONDS, widths: OF_HOURS },
  week: { buckets: 28, bucketSeconds: 6 * HOUR_SECONDS, widths: OF_HOURS },
  month: { buckets: 30, bucketSeconds: 24 * HOUR_SECONDS, widths: OF_DAYS },
  quarter: { buckets: 90, bucketSeconds: 24 * HOUR_SECONDS, widths: OF_DAYS },
};

/** A period that ends now, divided into buckets. */
export interface Period {
  range: Range;
  /** The widths of the rows that the buckets are summed from. */
  widths: readonly CountWidth[];
  bucketSeconds: number;
  /** When the first bucket begins. */
  since: Date;
  /** When each bucket begins. The last one is incomplete. */
  starts: Date[];
}

/** Divides a period that ends now. Buckets begin at full minutes, hours, quarters of a day or days, in UTC. */
export function periodOf(range: Range, now: Date): Period {
  const { buckets, bucketSeconds, widths } = DIVISIONS[range];
  const bucketMs = bucketSeconds * 1_000;
  const lastMs = Math.floor(now.getTime() / bucketMs) * bucketMs;
  const starts = Array.from(
    { length: buckets },
    (_, place) => new Date(lastMs - (buckets - 1 - place) * bucketMs),
  );
  return { range, widths, bucketSeconds, since: starts[0] ?? now, starts };
}
