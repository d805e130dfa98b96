import type { operations } from '../api/generated/console.ts';
import { type EventType, isEventType } from '../text/event-types.ts';
import { isPeriod, type Period, periodStart } from '../text/periods.ts';

/** The filters of the delivery log in the address of the page, with the names that the API uses. */
export interface DeliverySearch {
  buyer_space_id?: string;
  call_id?: string;
  person?: string;
  event_id?: string;
  event_type?: EventType;
  status?: DeliveryStatusFilter;
  endpoint_id?: number;
  /** A period that ends now. */
  last?: Period;
  /** Exact times, instead of a period. */
  since?: string;
  until?: string;
}

type DeliveryQuery = NonNullable<operations['listDeliveries']['parameters']['query']>;
type DeliveryStatusFilter = NonNullable<DeliveryQuery['status']>;

const STATUSES: readonly string[] = ['pending', 'delivered', 'dead'] satisfies DeliveryStatusFilter[];
/** The ids of endpoints are 32-bit integers. */
const MAX_ID = 2 ** 31 - 1;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the filters from an address. Invalid values are ignored. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const { buyer_space_id: room, call_id: call, event_id: event, person, endpoint_id: endpoint } = search;
  const { event_type: type, status, last, since, until } = search;
  return {
    ...(isUuid(room) && { buyer_space_id: room }),
    ...(isUuid(call) && { call_id: call }),
    ...(isUuid(event) && { event_id: event }),
    ...(typeof person === 'string' && person !== '' && { person }),
    ...(isEventType(type) && { event_type: type }),
    ...(typeof status === 'string' &&
      STATUSES.includes(status) && { status: status as DeliveryStatusFilter }),
    ...(isEndpointId(endpoint) && { endpoint_id: endpoint }),
    ...(isPeriod(last) && { last }),
    ...(isTime(since) && { since }),
    ...(isTime(until) && { until }),
  };
}

/** Converts the filters to API parameters. A period ends at the given time. */
export function deliveryQuery({ last, ...filters }: DeliverySearch, now: Date): DeliveryQuery {
  return last === undefined ? filters : { ...filters, since: periodStart(last, now).toISOString() };
}

/** Whether any filter is set. */
export function isFiltered(search: DeliverySearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

/** Whether a value of an address is the id of an object. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Whether a value of an address is a time as the API accepts it: an ISO 8601 date-time with an offset, or a date. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value));
}

function isEndpointId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_ID;
}
