import type { RoomMetrics } from '@deal-signals/serializers/room-metrics/schema';
import { z } from 'zod';
import { getRoomMetrics } from '../../routes/room-metrics.ts';
import { readObject } from '../records.ts';
import { shorten } from '../shorten.ts';
import { idArgument, objectResult, sizeArgument, tool } from '../tool.ts';

/** Maximum number of people, recordings and documents of a room that are listed. */
const MAX_LISTED = 25;
/** The lengths of these lists that are tried, in order, if the result would be too long. */
const SHORTER_LISTS = [12, 6, 3];
const MAX_VIEWERS = 5;

/** `get_room`: one room with its metrics. */
export const getRoom = tool({
  name: 'get_room',
  title: 'Get a Decision Room with its metrics',
  description: `Returns one Decision Room and what happened in it so far: engagement score (0 to 100), totals, people (stakeholders: engaged, dormant or silent), recordings (trailers), documents (assets), action plan, conversation and contracts (esign). Call it to judge how a deal is going and who is engaged. Of people, recordings and documents, up to ${MAX_LISTED} each are shown, first the people who were active and the documents that were viewed last, and the recordings that were watched longest; leftOut counts the others, and totals covers all.`,
  scope: 'read:rooms',
  input: z.strictObject({
    room_id: idArgument.meta({
      description: 'The id of a room, from find_rooms, or buyerSpaceId of other records',
    }),
    ...sizeArgument,
  }),
  output: objectResult,
  async run({ room_id, max_characters }, caller, context) {
    const metrics = await readObject(getRoomMetrics, room_id, caller, context);
    let text = JSON.stringify(summarize(metrics, MAX_LISTED));
    for (const maxListed of SHORTER_LISTS) {
      if (text.length <= max_characters) break;
      text = JSON.stringify(summarize(metrics, maxListed));
    }
    return { data: shorten(text, max_characters) };
  },
});

/** Returns the metrics with at most this many people, recordings and documents, and the numbers of those left out. */
function summarize(metrics: RoomMetrics, maxListed: number) {
  const { stakeholders, trailers, assets } = metrics;
  const { slug: _slug, ...shown } = metrics.room;
  return {
    ...metrics,
    room: shown,
    leftOut: {
      stakeholders: Math.max(0, stakeholders.length - maxListed),
      trailers: Math.max(0, trailers.length - maxListed),
      assets: Math.max(0, assets.length - maxListed),
    },
    stakeholders: latest(stakeholders, ({ lastActivityAt }) => lastActivityAt, maxListed),
    trailers: trailers.toSorted((a, b) => b.watchSeconds - a.watchSeconds).slice(0, maxListed),
    assets: latest(assets, ({ lastViewedAt }) => lastViewedAt, maxListed).map((asset) => ({
      ...asset,
      viewers: latest(asset.viewers, ({ lastViewedAt }) => lastViewedAt, MAX_VIEWERS),
    })),
  };
}

/** Returns the items with the latest times. Items without a time come last. */
function latest<Item>(items: readonly Item[], timeOf: (item: Item) => string | null, max: number): Item[] {
  // ISO texts of equal length in UTC sort in time order.
  return items.toSorted((a, b) => (timeOf(b) ?? '').localeCompare(timeOf(a) ?? '')).slice(0, max);
}
