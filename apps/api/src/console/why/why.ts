import { isStorable } from '@deal-signals/db/storable-text';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import type { Database } from '@deal-signals/db/database';
import { findExplainedObject } from '@deal-signals/serializers/console/why/objects';
import { why, type Why, type WhyObject } from '@deal-signals/serializers/console/why/schema';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import { invalidRequest, notFound } from '../../http/errors.ts';
import { uuid, WITHOUT_NUL } from '../../http/input.ts';
import { adminOperation } from '../../http/route.ts';
import { whyExample } from './example.ts';
import { explainObject, type Question } from './explain.ts';

const DEFAULT_WINDOW_MS = 7 * 86_400_000;
const MAX_TYPE_CHARACTERS = 100;
const TYPE_MESSAGE = `must be a string of 1 to ${MAX_TYPE_CHARACTERS} characters`;
const DELIVERY_MESSAGE = 'must be the id of a delivery';

/** The parameters that select an object, by its kind. */
const OBJECTS = {
  buyer_space_id: 'room',
  call_id: 'call',
  event_id: 'event',
  delivery_id: 'delivery',
} as const satisfies Record<string, WhyObject['kind']>;

/** The query parameters of `GET /why`. */
const whyQuery = z.object({
  buyer_space_id: uuid.optional().meta({ description: 'A Decision Room' }),
  call_id: uuid.optional().meta({ description: 'A call or recording' }),
  event_id: uuid.optional().meta({ description: 'An event, by the id in its envelope' }),
  delivery_id: z
    .string()
    .regex(/^[1-9][0-9]{0,17}$/, DELIVERY_MESSAGE)
    .optional()
    .meta({ description: 'A delivery: its event' }),
  event_type: z
    .string(TYPE_MESSAGE)
    .min(1, TYPE_MESSAGE)
    .max(MAX_TYPE_CHARACTERS, TYPE_MESSAGE)
    .refine(isStorable, TYPE_MESSAGE)
    .optional()
    .meta({
      description: `Only events of this type: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}. An unknown type is explained as well`,
      pattern: WITHOUT_NUL,
    }),
  since: dateTimeInput.optional().meta({
    description:
      'Only occurrences at this time or later; by default seven days before `until`. Ignored for events and deliveries',
  }),
  until: dateTimeInput.optional().meta({
    description: 'Only occurrences before this time; by default now. Ignored for events and deliveries',
  }),
});

/** `GET /why`: explains why the endpoints of a workspace received events, or did not. */
export const whyDidItNotCome = adminOperation({
  operationId: 'whyDidItNotCome',
  tag: 'Console',
  summary: 'Explain what endpoints received, and what they did not',
  description:
    'Explains for each endpoint of the workspace what it was sent about a room, a call or an event, and why it was not sent the rest. Returns verdicts with their facts, and the deliveries and changes that prove them. Exactly one of `buyer_space_id`, `call_id`, `event_id` and `delivery_id` is required. An event is only written while an endpoint subscribes to it, so other occurrences are taken from the stored rows. Where these are not sufficient, the verdict is `unknown`, or `isCertain` is false. At most 1,000 deliveries, engagement events and views are examined, newest first.',
  query: whyQuery,
  response: z.object({ data: why }),
  errors: ['NOT_FOUND'],
  example: { data: whyExample },
  async handler({ companyId, query, session }, { db, settings }) {
    const { event_type: eventType, since, until, ...ids } = query;
    const [named, ...more] = Object.entries(OBJECTS).flatMap(([name, kind]) => {
      const id = ids[name as keyof typeof OBJECTS];
      return id === undefined ? [] : [{ kind, id }];
    });
    if (named === undefined || more.length > 0) {
      throw invalidRequest(`${Object.keys(OBJECTS).join(', ')}: exactly one must be given`);
    }
    const { apiEnabled } = session.company;
    const { maxAttempts } = settings.webhooks;
    const question = { eventType, since, until, apiEnabled, maxAttempts };
    return { data: await explain(db, companyId, named, question) };
  },
});

/**
 * Explains what came of an object: in the last seven days by default, or since it exists if it is an event.
 *
 * @throws ApiError NOT_FOUND.
 */
export async function explain(
  db: Database,
  companyId: number,
  asked: Pick<WhyObject, 'kind' | 'id'>,
  {
    since,
    until,
    eventType,
    ...question
  }: Pick<Question, 'apiEnabled' | 'maxAttempts'> & {
    since?: Date | undefined;
    until?: Date | undefined;
    eventType?: string | undefined;
  },
): Promise<Why> {
  const object = await findExplainedObject(db, companyId, asked.kind, asked.id);
  if (object === null) throw notFound();
  const now = new Date();
  const isAtOnce = object.eventId !== null;
  const end = isAtOnce ? now : (until ?? now);
  return explainObject(db, companyId, {
    ...question,
    object,
    eventType,
    since: isAtOnce ? object.at : (since ?? new Date(end.getTime() - DEFAULT_WINDOW_MS)),
    until: end,
  });
}
