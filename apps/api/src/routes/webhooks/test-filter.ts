import { EVENT_TYPES, type EventType } from '@deal-signals/outbox/event-types';
import { createFilterBudget, matchesFilter, UNFILTERED_TYPES } from '@deal-signals/outbox/filter/filter';
import { dateTime } from '@deal-signals/serializers/date-time';
import { engagementEventExample } from '@deal-signals/serializers/examples/engagement-event';
import { findNewestObjects } from '@deal-signals/serializers/events/shown-objects';
import { z } from 'zod';
import { adminOperation } from '../../http/route.ts';
import { events, filter } from './endpoints/fields.ts';

/** Maximum objects that a filter is run against. */
export const MAX_TESTED = 100;

const FILTERED_TYPES = EVENT_TYPES.filter((type) => !UNFILTERED_TYPES.has(type));

const testedEvent = z
  .object({
    id: z.string().meta({ description: 'Id of the object' }),
    type: z.string().meta({ description: 'The event type' }),
    at: dateTime.meta({ description: 'When the object happened or last changed' }),
    matches: z.boolean().meta({ description: 'Whether an endpoint with the filter would get it' }),
  })
  .meta({ id: 'TestedEvent' });

/** `POST /webhooks/test-filter`: runs a filter against recent objects of the workspace, before an endpoint uses it. */
export const testWebhookFilter = adminOperation({
  operationId: 'testWebhookFilter',
  tag: 'Webhook endpoints',
  summary: 'Try a filter',
  description: `Runs a filter against the last ${MAX_TESTED} events of the given types and returns which of them match, newest first. They are built from the engagement events, views, calls, rooms and contracts as they are now, whether or not they were ever sent, so a workspace without endpoints can try a filter as well. There are fewer if objects are large. Types that filters do not apply to are left out. Nothing is stored or sent.`,
  body: z.object({ filter, events }),
  bodyExample: { filter: { type: { $eq: 'doc_open' } }, events: ['engagement.recorded'] },
  response: z.object({
    data: z.array(testedEvent),
    matched: z.int().meta({ description: 'How many of them match' }),
  }),
  example: {
    data: [
      {
        id: '1789030800000001',
        type: 'engagement.recorded',
        at: '2026-09-08T15:20:00.000Z',
        matches: true,
      },
      {
        id: engagementEventExample.id,
        type: 'engagement.recorded',
        at: engagementEventExample.occurredAt,
        matches: false,
      },
    ],
    matched: 1,
  },
  async handler({ companyId, body: tried, slot }, { db }) {
    const budget = createFilterBudget();
    const types = (tried.events as string[]).includes('*') ? FILTERED_TYPES : (tried.events as EventType[]);
    const found: { id: string; type: EventType; at: string; matches: boolean }[] = [];
    // One type at a time, because each result holds up to a page of texts.
    for (const type of types) {
      if (UNFILTERED_TYPES.has(type)) continue;
      const objects = await slot.read(() => findNewestObjects(db, companyId, type, { limit: MAX_TESTED }));
      for (const { id, at, data } of objects) {
        found.push({
          id,
          type,
          at,
          matches: tried.filter === null || matchesFilter(tried.filter, data, budget),
        });
      }
    }
    const data = found.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MAX_TESTED);
    return { data, matched: data.filter(({ matches }) => matches).length };
  },
});
