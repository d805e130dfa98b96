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

/** The numbers of engaged people and of opened documents that earn all points for them. */
export const MAX_COUNTED = 3;

/** The inputs of a room's score. */
export interface Scored {
  /** The time of the latest event or view; null if there was none. */
  lastActivityAt: Date | null;
  engagedPeople: number;
  bestCompletionPercent: number;
  docsOpened: number;
}

/** The terms whose sum is the score: up to 40, 30 and 30 points. */
export interface ScoreTerms {
  recencyPoints: number;
  breadthPoints: number;
  depthPoints: number;
}

/**
 * Computes the terms of a room's engagement score as the API contract defines them: recency of the last activity, number of
 * engaged people, and depth: best completion percentage and documents opened (up to 15 each).
 *
 * @param now the time of the request.
 */
export function scoreTerms(
  { lastActivityAt, engagedPeople, bestCompletionPercent, docsOpened }: Scored,
  now: Date,
): ScoreTerms {
  const ageMs = lastActivityAt === null ? Number.POSITIVE_INFINITY : now.getTime() - lastActivityAt.getTime();
  const watched = Math.min(15, Math.round(bestCompletionPercent * 0.15));
  const read = Math.min(15, 5 * docsOpened);
  return {
    recencyPoints: RECENCY.find(({ maxAgeMs }) => ageMs <= maxAgeMs)?.points ?? 0,
    breadthPoints: Math.min(30, 10 * engagedPeople),
    depthPoints: watched + read,
  };
}

/**
 * Computes the engagement score of a room, 0 to 100.
 *
 * @param now the time of the request.
 */
export function engagementScore(scored: Scored, now: Date): number {
  const { recencyPoints, breadthPoints, depthPoints } = scoreTerms(scored, now);
  return recencyPoints + breadthPoints + depthPoints;
}
