import { isUuid, isTime } from '../deliveries/delivery-search.ts';
import { isPeriod, type Period, periodStart } from '../text/periods.ts';
import type { operations } from '../api/generated/console.ts';

/** The question in the address of the page: at most one object, and a period. */
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

/** Reads the question from an address. Invalid values are ignored. */
export function readWhySearch(search: Record<string, unknown>): WhySearch {
  const { delivery_id: delivery, event_type: type, last, since, until } = search;
  const name = OBJECTS.find((one) => isUuid(search[one]));
  // The router parses values of digits as numbers.
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

/** Converts the question to API parameters; null if it names no object. */
export function whyQuery({ last, ...question }: WhySearch, now: Date): WhyQuery | null {
  const { buyer_space_id: room, call_id: call, event_id: event, delivery_id: delivery } = question;
  if ((room ?? call ?? event ?? delivery) === undefined) return null;
  return last === undefined ? question : { ...question, since: periodStart(last, now).toISOString() };
}
