const DAY_MS = 86_400_000;

/** Points for the age of the last activity: the first row whose age it does not exceed counts. */
const RECENCY = [
  { maxAgeMs: 3 * DAY_MS, points: 40 },
  { maxAgeMs: 7 * DAY_MS, points: 30 },
  { maxAgeMs: 14 * DAY_MS, points: 20 },
  { maxAgeMs: 30 * DAY_MS, points: 10 },
];

/** Somebody whose last activity is older no longer counts as engaged: it would not earn recency points either. */
export const ENGAGED_WITHIN_MS = 30 * DAY_MS;

/**
 * The engagement score of a room, 0 to 100: how recently anybody was active, how many people are, and how deep they went.
 *
 * @param lastActivityAt the latest event or view; null when there was none.
 * @param now the time of the request.
 */
export function engagementScore(
  {
    lastActivityAt,
    engagedPeople,
    bestCompletionPercent,
    docsOpened,
  }: {
    lastActivityAt: Date | null;
    engagedPeople: number;
    bestCompletionPercent: number;
    docsOpened: number;
  },
  now: Date,
): number {
  const ageMs = lastActivityAt === null ? Number.POSITIVE_INFINITY : now.getTime() - lastActivityAt.getTime();
  const recency = RECENCY.find(({ maxAgeMs }) => ageMs <= maxAgeMs)?.points ?? 0;
  const breadth = Math.min(30, 10 * engagedPeople);
  const watched = Math.min(15, Math.round(bestCompletionPercent * 0.15));
  const read = Math.min(15, 5 * docsOpened);
  return Math.min(100, recency + breadth + watched + read);
}
