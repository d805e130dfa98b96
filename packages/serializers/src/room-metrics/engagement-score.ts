const DAY_MS = 86_400_000;

/** Points for the age of the last activity. The first row whose maximum age is not exceeded applies. */
const RECENCY = [
  { maxAgeMs: 3 * DAY_MS, points: 40 },
  { maxAgeMs: 7 * DAY_MS, points: 30 },
  { maxAgeMs: 14 * DAY_MS, points: 20 },
  { maxAgeMs: 30 * DAY_MS, points: 10 },
];

/** A person is engaged if their last activity is at most this old. Older activity earns no recency points either. */
export const ENGAGED_WITHIN_MS = 30 * DAY_MS;

/** As many engaged people, and as many opened documents, earn all points for them. */
export const MOST_COUNTED = 3;

/**
 * The engagement score of a room, 0 to 100, as the API contract defines it: recency of the last activity (up to 40),
 * number of engaged people (up to 30), and depth: best completion percentage and documents opened (up to 15 each).
 *
 * @param lastActivityAt the time of the latest event or view; null if there was none.
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
