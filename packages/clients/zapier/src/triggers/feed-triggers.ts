import { type Bundle, defineTrigger, type Trigger, type ZObject } from 'zapier-platform-core';
import { FEED_SAMPLES } from '../generated/samples.ts';
import { type ListedRecord, type Page, read } from '../requests.ts';

/** How far back a poll reads. Zapier remembers the records that it has seen, and stores nothing else between polls. */
const WINDOW_MS = 3 * 86_400_000;
/** The largest page that the API serves. */
const MAX_PAGE_SIZE = 500;
const MAX_PAGES = 10;

/**
 * Key, feed, noun, label, the query parameter that sets where reading begins, and the field that marks a new version of a
 * record.
 */
const FEEDS = [
  ['polled_engagement', 'engagement/events', 'Engagement', 'New Engagement (Polling)', 'since', null],
  ['polled_view', 'engagement/views', 'View', 'New View (Polling)', 'since', null],
  ['polled_call', 'calls', 'Call', 'New or Updated Call (Polling)', 'updated_since', 'updatedAt'],
  [
    'polled_room',
    'decision-rooms',
    'Room',
    'New or Updated Room (Polling)',
    'updated_since',
    'lastActivityAt',
  ],
] as const;

/** Triggers for API keys that only read. Zapier polls every few minutes. */
export const feedTriggers: Record<string, Trigger> = Object.fromEntries(
  FEEDS.map(([key, feed, noun, label, since, changed]) => [
    key,
    defineTrigger({
      key,
      noun,
      display: {
        label,
        description: `Triggers every few minutes for each ${label.replace(' (Polling)', '').toLowerCase()}.`,
      },
      operation: {
        type: 'polling',
        perform: (z, bundle) => recent(z, bundle, feed, since),
        sample: FEED_SAMPLES[feed],
        // A changed record starts a Zap again.
        outputFields: ['id', ...(changed === null ? [] : [changed])].map((name) => ({
          key: name,
          primary: true,
        })),
      },
    }),
  ]),
);

/** Returns the records of the last days, latest first. */
async function recent(z: ZObject, bundle: Bundle, feed: string, since: string): Promise<ListedRecord[]> {
  const records: ListedRecord[] = [];
  let from: Record<string, string> = { [since]: new Date(Date.now() - WINDOW_MS).toISOString() };
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await read<Page>(z, bundle, `/${feed}`, { ...from, limit: MAX_PAGE_SIZE });
    if (page === null) break;
    records.push(...page.data);
    if (!page.hasMore) break;
    from = { [since]: from[since] ?? '', cursor: page.nextCursor };
  }
  return records.toReversed();
}
