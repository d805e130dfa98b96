import { findEngagementScores } from '@deal-signals/serializers/room-metrics/scores';
import { findRooms, type Room, roomStatus, roomText } from '@deal-signals/serializers/rooms/room';
import { z } from 'zod';
import { allowsScope } from '../../auth/scopes.ts';
import { fitting } from '../records.ts';
import { sizeArgument, tool } from '../tool.ts';
import { tellStory } from './what-happened.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Maximum number of rooms that are compared, most recently active first. Their scores take one query of about 20 ms. */
const MAX_COMPARED = 1_000;
/** From when a close date, a silence and a score are reasons to act. */
const CLOSING_DAYS = 14;
const QUIET_DAYS = 7;
const LOW_SCORE = 40;
/** Of how many deals that need attention the latest entries are told, and how many of them. */
const MAX_TOLD = 3;
const MAX_LATEST = 3;

/** What is said of a deal. */
interface Deal {
  roomId: string;
  name: string;
  owner: string | null;
  engagementScore: number;
  dealValueCents: number | null;
  expectedCloseDate: string | null;
  lastEngagementAt: string | null;
  /** Whole days since then; null without any activity. */
  quietDays: number | null;
  /** The reasons to look at it today. */
  reasons?: string[];
  /** What happened last. */
  latest?: unknown[];
}

const SORTS = ['attention', 'quiet', 'score', 'value', 'close_date'] as const;

/** The comparison functions of deals. */
const ORDERS: Record<(typeof SORTS)[number], (a: Deal, b: Deal) => number> = {
  attention: (a, b) => (b.reasons?.length ?? 0) - (a.reasons?.length ?? 0) || ORDERS.value(a, b),
  quiet: (a, b) => (b.quietDays ?? Infinity) - (a.quietDays ?? Infinity) || 0,
  score: (a, b) => b.engagementScore - a.engagementScore,
  value: (a, b) => (b.dealValueCents ?? -1) - (a.dealValueCents ?? -1),
  close_date: (a, b) => (a.expectedCloseDate ?? '9999').localeCompare(b.expectedCloseDate ?? '9999'),
};

/** `pipeline_overview`: the rooms of a status side by side, each as a line. */
export const pipelineOverview = tool({
  name: 'pipeline_overview',
  title: 'Compare the open deals',
  description: `Compares deals, one short line each: score, value, close date, when a prospect was last active, and for how many days none has been. Call it first for questions about the whole pipeline, such as which deals are hot, at risk or went quiet, and then what_happened for the reasons. For the deals that need attention and why, pass sort attention: reasons say why, and latest what happened last in the first ${MAX_TOLD}. For deals that went quiet this week, pass quiet_days_min 3 and quiet_days_max 10. It compares the ${MAX_COMPARED} rooms that were active last; totals counts those that match.`,
  scope: 'read:rooms',
  input: z
    .strictObject({
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
      sort: z.enum(SORTS).default('value').meta({
        description:
          'What comes first: most reasons to act today (of equally many, the highest value), the longest quiet, the highest score or value, or the earliest close date',
      }),
      limit: z.int().min(1).max(200).default(15).meta({ description: 'Maximum number of deals' }),
      ...sizeArgument,
    })
    .refine(({ quiet_days_min: min = 0, quiet_days_max: max = Infinity }) => min <= max, {
      path: ['quiet_days_max'],
      error: 'must not be less than quiet_days_min',
    }),
  output: z.looseObject({
    data: z.array(z.looseObject({ roomId: z.string(), name: z.string() })),
    totals: z.object({ deals: z.int(), dealValueCents: z.int() }),
    hasMore: z.boolean(),
    comparedAll: z.boolean(),
  }),
  async run({ status, quiet_days_min, quiet_days_max, sort, limit, max_characters }, caller, { db }) {
    const now = new Date();
    const isAboutAttention = sort === 'attention';
    const filter = { status, isNewestFirst: true, limit: MAX_COMPARED + 1 };
    const rows = await findRooms(db, caller.companyId, filter);
    const rooms = rows.slice(0, MAX_COMPARED).map((row) => JSON.parse(roomText(row)) as Room);
    const ids = rooms.map(({ id }) => id);
    const scores = await findEngagementScores(db, caller.companyId, ids, now);
    const deals = rooms
      .map((one): Deal => {
        const deal: Deal = {
          roomId: one.id,
          name: one.name,
          owner: one.owner?.name ?? one.owner?.email ?? null,
          engagementScore: scores.get(one.id)!,
          dealValueCents: one.dealValueCents,
          expectedCloseDate: one.expectedCloseDate,
          lastEngagementAt: one.lastEngagementAt,
          quietDays: one.lastEngagementAt === null ? null : daysBetween(new Date(one.lastEngagementAt), now),
        };
        return isAboutAttention
          ? { ...deal, reasons: status === 'open' ? reasonsToAct(deal, now) : [] }
          : deal;
      })
      .filter(({ quietDays }) => {
        const days = quietDays ?? Infinity;
        return days >= (quiet_days_min ?? 0) && (quiet_days_max === undefined || days <= quiet_days_max);
      })
      .toSorted(ORDERS[sort]);
    const shown = deals.slice(0, limit);
    if (isAboutAttention && allowsScope(caller.key.scopes, 'read:engagement')) {
      for (const deal of shown.slice(0, MAX_TOLD)) {
        deal.latest = (await tellStory(db, caller, deal.roomId, MAX_LATEST)).slice(0, MAX_LATEST);
      }
    }
    const data = fitting(shown, max_characters);
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

/** Returns the reasons to look at an open deal today. */
function reasonsToAct({ expectedCloseDate, quietDays, engagementScore }: Deal, now: Date): string[] {
  const reasons: string[] = [];
  if (expectedCloseDate !== null) {
    const today = now.toISOString().slice(0, 10);
    const daysLeft = Math.round((Date.parse(expectedCloseDate) - Date.parse(today)) / DAY_MS);
    if (daysLeft < 0) reasons.push(`its close date passed ${-daysLeft} days ago`);
    else if (daysLeft <= CLOSING_DAYS) reasons.push(`closes in ${daysLeft} days`);
  }
  if (quietDays === null) reasons.push('no prospect has done anything yet');
  else if (quietDays >= QUIET_DAYS) reasons.push(`quiet for ${quietDays} days`);
  if (engagementScore < LOW_SCORE) reasons.push(`engagement score ${engagementScore} of 100`);
  return reasons;
}

/** Returns the whole days between two times; 0 if the earlier one is in the future. */
function daysBetween(earlier: Date, later: Date): number {
  return Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / DAY_MS));
}
