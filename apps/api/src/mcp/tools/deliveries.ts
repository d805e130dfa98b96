import {
  findBacklogs,
  findPresentCounts,
  serializeEndpointHealth,
} from '@deal-signals/serializers/console/endpoint-health';
import { whatNeedsAttention } from '@deal-signals/serializers/console/attention';
import { findEndpointStates } from '@deal-signals/serializers/console/overview';
import { periodOf, RANGES } from '@deal-signals/serializers/console/range';
import { WHY_CODES, type WhyCode, type WhyEndpoint } from '@deal-signals/serializers/console/why/schema';
import { z } from 'zod';
import { requireScope } from '../../auth/scopes.ts';
import { explain } from '../../console/why/why.ts';
import { invalidRequest } from '../../http/errors.ts';
import { fitting } from '../records.ts';
import { idArgument, sizeArgument, timeArgument, tool } from '../tool.ts';

/** `delivery_health`: whether webhooks arrive at each endpoint. */
export const deliveryHealth = tool({
  name: 'delivery_health',
  title: 'Tell whether webhooks arrive',
  description:
    'Tells whether the webhooks of the workspace arrive at the systems that are connected to it, such as a CRM: what needs attention, worst first, and for each endpoint how many attempts succeeded and failed in a period, how many deliveries wait and how many are dead (given up). Call it for questions about integrations in general; for one deal, call or event, call why_not_delivered.',
  scope: 'read:deliveries',
  input: z.strictObject({
    range: z
      .enum(RANGES)
      .default('day')
      .meta({ description: 'The period of delivered and failed; it ends now' }),
    ...sizeArgument,
  }),
  output: z.looseObject({
    data: z.object({
      attention: z.array(z.looseObject({ kind: z.string() })),
      endpoints: z.array(z.looseObject({})),
    }),
    hasMore: z.boolean(),
  }),
  async run({ range, max_characters }, { companyId }, { db, settings: { webhooks } }) {
    const now = new Date();
    const period = periodOf(range, now);
    const states = await findEndpointStates(db, companyId);
    const backlogs = await findBacklogs(db, companyId);
    const counts = await findPresentCounts(db, companyId, period);
    const { disableAfter } = webhooks;
    const { data: health } = serializeEndpointHealth(period, backlogs, counts, disableAfter);
    const stateOf = new Map(states.map((state) => [state.id, state]));
    // The scope does not cover API keys.
    const attention = whatNeedsAttention({ endpoints: states, backlogs, keys: [], disableAfter, now })
      .filter(({ kind }) => kind !== 'no_key')
      .map(withReceiver);
    const endpoints = health.flatMap(
      ({ endpointId, totals, pendingDeliveries, deadDeliveries, oldestDueAt }) => {
        const state = stateOf.get(endpointId);
        if (state === undefined) return [];
        const { delivered, failed, successRate } = totals;
        const { url, description, enabled } = state;
        const counted = { delivered, failed, successRate, pendingDeliveries, deadDeliveries, oldestDueAt };
        return [{ endpointId, ...withReceiver({ description, url }), enabled, ...counted }];
      },
    );
    const shown = fitting([...attention, ...endpoints], max_characters).length;
    return {
      data: {
        attention: attention.slice(0, shown),
        endpoints: endpoints.slice(0, Math.max(0, shown - attention.length)),
      },
      hasMore: shown < attention.length + endpoints.length,
    };
  },
});

/** The objects to ask about, and the scope that each requires besides that of deliveries. */
const KINDS = {
  room_id: { kind: 'room', scope: 'read:rooms' },
  call_id: { kind: 'call', scope: 'read:calls' },
  event_id: { kind: 'event', scope: 'read:deliveries' },
  delivery_id: { kind: 'delivery', scope: 'read:deliveries' },
} as const;

/** `why_not_delivered`: why an object was or was not sent to the endpoints of the workspace. */
export const whyNotDelivered = tool({
  name: 'why_not_delivered',
  title: 'Explain why a webhook did not arrive',
  description:
    'Explains for each connected system (endpoint), worst first, what it was sent about one deal, call or event and why it was not sent the rest: given up after failures, waiting, disabled, not subscribed, created later, or nothing happened. Without eventTypes, a verdict is about all of happened. Call it for questions such as why the CRM did not hear of a deal. Pass exactly one id; find_rooms turns the name of a deal into one.',
  scope: 'read:deliveries',
  input: z.strictObject({
    room_id: idArgument.optional().meta({ description: 'A Decision Room' }),
    call_id: idArgument.optional().meta({ description: 'A call or recording' }),
    event_id: idArgument.optional().meta({ description: 'An event, by the id in its envelope' }),
    delivery_id: z
      .string()
      .regex(/^[1-9][0-9]{0,17}$/, 'must be the id of a delivery, such as 1789030800012000')
      .optional()
      .meta({ description: 'A delivery' }),
    since: timeArgument.optional().meta({
      description:
        'What happened to a room or call at or after this time: ISO 8601. Seven days ago by default',
    }),
    ...sizeArgument,
  }),
  output: z.looseObject({
    data: z.looseObject({
      title: z.string().nullable(),
      happened: z.array(z.looseObject({ eventType: z.string() })),
      endpoints: z.array(z.looseObject({ verdicts: z.array(z.looseObject({ code: z.string() })) })),
    }),
    hasMore: z.boolean(),
  }),
  async run({ since, max_characters, ...ids }, { companyId, key }, { db, settings }) {
    const [asked, ...more] = Object.entries(KINDS).flatMap(([name, { kind, scope }]) => {
      const id = ids[name as keyof typeof KINDS];
      return id === undefined ? [] : [{ kind, scope, id }];
    });
    if (asked === undefined || more.length > 0) {
      throw invalidRequest(`${Object.keys(KINDS).join(', ')}: pass exactly one of them`);
    }
    requireScope(key.scopes, asked.scope);
    if (since !== undefined && Date.parse(since) > Date.now()) {
      throw invalidRequest(`since: must not be later than now, which is ${new Date().toISOString()}`);
    }
    const answer = await explain(db, companyId, asked, {
      since: since === undefined ? undefined : new Date(since),
      // Requests of a workspace whose API is switched off never get here.
      apiEnabled: true,
      maxAttempts: settings.webhooks.maxAttempts,
    });
    const { object, since: from, until, code, lastChangedAt, happened } = answer;
    // A removed endpoint explains nothing if it never got a delivery about the object.
    const shown = answer.endpoints.filter(
      ({ endpoint, deliveries }) => endpoint.removedAt === null || deliveries.length > 0,
    );
    const removed = answer.endpoints.length - shown.length;
    const certain = happened.filter(({ isCertain }) => isCertain);
    const types = [...new Set(certain.map(({ eventType }) => eventType))].toSorted().join();
    const all = shown.map((endpoint) => shownEndpoint(endpoint, types));
    const endpoints = fitting(all, max_characters);
    const codes = endpoints.flatMap(({ verdicts }) => verdicts.map((verdict) => verdict.code));
    return {
      data: {
        title: object.title,
        since: from,
        until,
        ...(code !== null && { code }),
        lastChangedAt,
        happened: certain.map(({ eventType, count, lastAt }) => ({ eventType, count, lastAt })),
        endpoints,
        ...(removed > 0 && { removedEndpoints: removed }),
        // Once for each code, because most endpoints have the same verdicts.
        meanings: Object.fromEntries(codes.map((name) => [name, WHY_CODES[name as WhyCode]])),
      },
      hasMore: endpoints.length < all.length,
    };
  },
});

/** @param allTypes the types of everything that happened. A verdict about all of them does not repeat them. */
function shownEndpoint(
  { endpoint: { id, description, url, enabled }, verdicts }: WhyEndpoint,
  allTypes: string,
) {
  return {
    endpointId: id,
    ...withReceiver({ description, url }),
    enabled,
    // The scope does not cover the audit log, so the admin is left out.
    verdicts: verdicts.map(
      ({ code, user: _user, isCountExact: _exact, timeIs: _time, isCertain, eventTypes, ...facts }) => ({
        code,
        ...(!isCertain && { isCertain }),
        ...(eventTypes.join() !== allTypes && { eventTypes }),
        ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
      }),
    ),
  };
}

/** Replaces a URL by its host. The rest of the URL of a webhook may be a secret, which only admins see. */
function withReceiver(item: object) {
  const { url, ...facts } = item as { url?: string };
  return url === undefined ? facts : { ...facts, receiver: new URL(url).host };
}
