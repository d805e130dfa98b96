import { findEngagementScores } from '@deal-signals/serializers/room-metrics/scores';
import { findRooms, type Room, room, roomStatus, roomText } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { fitting } from '../records.ts';
import { sizeArgument, tool } from '../tool.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Maximum number of rooms that are compared, most recently active first. Their scores take one query of about 20 ms. */
const MAX_COMPARED = 1_000;

const deal = z.object({
  roomId: room.shape.id,
  name: room.shape.name,
  owner: z.string().nullable().meta({ description: 'Who sells' }),
  engagementScore: z.int().meta({ description: '0 to 100, as of now' }),
  dealValueCents: room.shape.dealValueCents,
  expectedCloseDate: room.shape.expectedCloseDate,
  lastEngagementAt: room.shape.lastEngagementAt,
  quietDays: z
    .int()
    .nullable()
    .meta({ description: 'Whole days since the last activity; null if there was none' }),
});
type Deal = z.output<typeof deal>;

/** The comparison functions of deals. */
const ORDERS: Record<'quiet' | 'score' | 'value' | 'close_date', (a: Deal, b: Deal) => number> = {
  quiet: (a, b) => (b.quietDays ?? Infinity) - (a.quietDays ?? Infinity) || 0,
  score: (a, b) => b.engagementScore - a.engagementScore,
  value: (a, b) => (b.dealValueCents ?? -1) - (a.dealValueCents ?? -1),
  close_date: (a, b) => (a.expectedCloseDate ?? '9999').localeCompare(b.expectedCloseDate ?? '9999'),
};

/** `pipeline_overview`: the rooms of a status side by side, each as a line. */
export const pipelineOverview = tool({
  name: 'pipeline_overview',
  title: 'Compare the open deals',
  description: `Compares deals, one short line each: score, value, close date, when a prospect was last active, and for how many days none has been. Call it first for questions about the whole pipeline, such as which deals are hot, at risk or went quiet, and then what_happened for the reasons. For deals that went quiet this week, pass quiet_days_min 3 and quiet_days_max 10. It compares the ${MAX_COMPARED} rooms that were active last; totals counts those that match.`,
  scope: 'read:rooms',
  input: z.strictObject({
    status: z.enum(roomStatus.options).default('open').meta({ description: 'Only rooms with this status' }),
    quiet_days_min: z
      .int()
      .min(0)
      .max(36_500)
      .optional()
      .meta({ description: 'Only deals that have been quiet for at least this many days' }),
    quiet_days_max: z
      .int()
      .min(0)
      .max(36_500)
      .optional()
      .meta({ description: 'Only deals that have been quiet for at most this many days' }),
    sort: z.enum(['quiet', 'score', 'value', 'close_date']).default('value').meta({
      description:
        'Sort order: the longest quiet, the highest score, the highest value, or the earliest close date first',
    }),
    limit: z.int().min(1).max(200).default(15).meta({ description: 'Maximum number of deals' }),
    ...sizeArgument,
  }),
  output: z.looseObject({
    data: z.array(deal).meta({ description: 'The deals in the requested order' }),
    totals: z
      .object({ deals: z.int(), dealValueCents: z.int() })
      .meta({ description: 'Totals of all matches, shown or not' }),
    hasMore: z
      .boolean()
      .meta({ description: 'Whether more deals match than are shown; raise limit to see them' }),
    comparedAll: z.boolean().meta({ description: 'Whether every room of the status was compared' }),
  }),
  async run({ status, quiet_days_min, quiet_days_max, sort, limit, max_characters }, caller, { db }) {
    const now = new Date();
    const filter = { status, isNewestFirst: true, limit: MAX_COMPARED + 1 };
    const rows = await findRooms(db, caller.companyId, filter);
    const rooms = rows.slice(0, MAX_COMPARED).map((row) => JSON.parse(roomText(row)) as Room);
    const ids = rooms.map(({ id }) => id);
    const scores = await findEngagementScores(db, caller.companyId, ids, now);
    const deals = rooms
      .map((one): Deal => {
        return {
          roomId: one.id,
          name: one.name,
          owner: one.owner?.name ?? one.owner?.email ?? null,
          engagementScore: scores.get(one.id)!,
          dealValueCents: one.dealValueCents,
          expectedCloseDate: one.expectedCloseDate,
          lastEngagementAt: one.lastEngagementAt,
          quietDays: one.lastEngagementAt === null ? null : daysBetween(new Date(one.lastEngagementAt), now),
        };
      })
      .filter(({ quietDays }) => {
        const days = quietDays ?? Infinity;
        return days >= (quiet_days_min ?? 0) && (quiet_days_max === undefined || days <= quiet_days_max);
      })
      .toSorted(ORDERS[sort]);
    const data = fitting(deals.slice(0, limit), max_characters);
    return {
      data,
      totals: {
        deals: deals.length,
        dealValueCents: deals.reduce((sum, { dealValueCents }) => sum + (dealValueCents ?? 0), 0),
      },
      hasMore: data.length < deals.length,
      comparedAll: rows.length <= MAX_COMPARED,
    };
  },
});

/** Returns the whole days between two times; 0 if the earlier one is in the future. */
function daysBetween(earlier: Date, later: Date): number {
  return Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / DAY_MS));
}
