import { isUuid, isTime } from '../deliveries/delivery-search.ts';
import { isPeriod, type Period, sinceOf } from '../text/periods.ts';
import type { operations } from '../api/generated/console.ts';

/** The search parameters of the page: at most one object, and a time. */
export interface WhySearch {
  buyer_space_id?: string;
  call_id?: string;
  event_id?: string;
  delivery_id?: string;
  event_type?: string;
  last?: Period;
  since?: string;
  until?: string;
}

type WhyQuery = NonNullable<operations['whyDidItNotCome']['parameters']['query']>;

const OBJECTS = ['buyer_space_id', 'call_id', 'event_id'] as const;
const NUMBER = /^[1-9]\d{0,17}$/;

/** Reads the question from an address. What does not fit is left out. */
export function readWhySearch(search: Record<string, unknown>): WhySearch {
  const { delivery_id: delivery, event_type: type, last, since, until } = search;
  const name = OBJECTS.find((one) => isUuid(search[one]));
  // The router reads a number from an address where there are only digits.
  const deliveryId = String(delivery);
  return {
    ...(name !== undefined && { [name]: search[name] }),
    ...(name === undefined && NUMBER.test(deliveryId) && { delivery_id: deliveryId }),
    ...(typeof type === 'string' && type !== '' && { event_type: type }),
    ...(isPeriod(last) && { last }),
    ...(isTime(since) && { since }),
    ...(isTime(until) && { until }),
  };
}

/** The question as parameters of the API; null while it names no object. */
export function whyQuery({ last, ...question }: WhySearch, now: Date): WhyQuery | null {
  const { buyer_space_id: room, call_id: call, event_id: event, delivery_id: delivery } = question;
  if ((room ?? call ?? event ?? delivery) === undefined) return null;
  return last === undefined ? question : { ...question, since: sinceOf(last, now).toISOString() };
}
