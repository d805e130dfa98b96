import { roomMetrics } from '@deal-signals/serializers/room-metrics/schema';
import { z } from 'zod';
import { getRoomMetrics } from '../../routes/room-metrics.ts';
import { readObject } from '../records.ts';
import { shorten } from '../shorten.ts';
import { idArgument, objectResult, sizeArgument, tool } from '../tool.ts';

/** How many people, recordings and documents of a room are listed. */
const MOST_LISTED = 25;
const MOST_VIEWERS = 5;

/** `get_room`: one room with its metrics. */
export const getRoom = tool({
  name: 'get_room',
  title: 'Get a Decision Room with its metrics',
  description: `Returns one Decision Room and what happened in it so far: engagement score (0 to 100), totals, people (stakeholders: engaged, dormant or silent), recordings (trailers), documents (assets), action plan, conversation and contracts (esign). Call it to judge how a deal is going and who is engaged. Of each list, up to ${MOST_LISTED} entries are shown, the most recently active first; leftOut counts the others, and totals covers all.`,
  scope: 'read:rooms',
  input: z.strictObject({
    room_id: idArgument.meta({
      description: 'The id of a room, from find_rooms, or buyerSpaceId of other records',
    }),
    ...sizeArgument,
  }),
  output: objectResult(
    roomMetrics.extend({ leftOut: z.object({ stakeholders: z.int(), trailers: z.int(), assets: z.int() }) }),
  ),
  async run({ room_id, max_characters }, caller, context) {
    const metrics = await readObject(getRoomMetrics, room_id, caller, context);
    const { stakeholders, trailers, assets } = metrics;
    const data = {
      ...metrics,
      stakeholders: latest(stakeholders, ({ lastActivityAt }) => lastActivityAt),
      trailers: trailers.toSorted((a, b) => b.watchSeconds - a.watchSeconds).slice(0, MOST_LISTED),
      assets: latest(assets, ({ lastViewedAt }) => lastViewedAt).map((asset) => ({
        ...asset,
        viewers: latest(asset.viewers, ({ lastViewedAt }) => lastViewedAt, MOST_VIEWERS),
      })),
      leftOut: {
        stakeholders: Math.max(0, stakeholders.length - MOST_LISTED),
        trailers: Math.max(0, trailers.length - MOST_LISTED),
        assets: Math.max(0, assets.length - MOST_LISTED),
      },
    };
    return { data: shorten(JSON.stringify(data), max_characters) };
  },
});

/** The items with the latest times; those without a time come last. */
function latest<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => string | null,
  most = MOST_LISTED,
): Item[] {
  // Texts of one length in UTC sort as their moments do.
  return items.toSorted((a, b) => (timeOf(b) ?? '').localeCompare(timeOf(a) ?? '')).slice(0, most);
}
