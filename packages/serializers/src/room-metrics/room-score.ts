import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import { scoreTerms } from './engagement-score.ts';
import { roomTotals } from './schema.ts';
import type { RoomCounts } from './scores.ts';

const points = z.int().min(0);

/** The score of a room with its terms and the totals behind it. */
export const roomScore = z
  .object({
    id: z.guid().meta({ description: 'The id of the room' }),
    engagementScore: z.int().min(0).max(100).meta({
      description:
        'The score at the time of the request: the same as in the metrics of the room, and the sum of its terms',
    }),
    recencyPoints: points.max(40),
    breadthPoints: points.max(30),
    depthPoints: points.max(30),
    totals: roomTotals,
    lastActivityAt: dateTime.meta({
      description: '`lastActivityAt` of the room; the sort key of `GET /room-scores`',
    }),
  })
  .meta({ id: 'RoomScore' });

/** A score in the API. */
export type RoomScore = z.infer<typeof roomScore>;

/**
 * Builds the API object of a room's score.
 *
 * @param now the time of the request.
 */
export function serializeRoomScore(
  room: { id: string; lastActivityAt: Date },
  counts: RoomCounts,
  now: Date,
): RoomScore {
  const terms = scoreTerms(counts, now);
  return {
    id: room.id,
    engagementScore: terms.recencyPoints + terms.breadthPoints + terms.depthPoints,
    ...terms,
    totals: serializeTotals(counts),
    lastActivityAt: room.lastActivityAt.toISOString(),
  };
}

/** Returns the totals of a room, which its score and its metrics both show. */
export function serializeTotals(counts: RoomCounts): z.infer<typeof roomTotals> {
  return {
    events: counts.events,
    engagedPeople: counts.engagedPeople,
    silentPeople: counts.silentPeople,
    trailerViews: counts.trailerViews,
    watchSeconds: counts.watchSeconds,
    bestCompletionPercent: counts.bestCompletionPercent,
    docsOpened: counts.docsOpened,
    lastActivityAt: dateTimeOrNull(counts.lastActivityAt),
  };
}
