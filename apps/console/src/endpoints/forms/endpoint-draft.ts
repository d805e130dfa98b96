import type { paths } from '../../api/generated/integration.ts';
import type { Endpoint } from '../endpoint.ts';
import { formatFilter, parseFilter } from './filter-field.tsx';

/** The body that registers an endpoint. */
type NewEndpoint = paths['/webhooks']['post']['requestBody']['content']['application/json'];
/** The body that changes one. */
export type EndpointChange = paths['/webhooks/{id}']['patch']['requestBody']['content']['application/json'];

/** A custom header in a form. */
export interface HeaderField {
  /** Tells the rows of the form apart. */
  key: string;
  name: string;
  value: string;
  /** Whether the API has a value already, which is kept while the field is empty and the URL the same. */
  isStored: boolean;
}

/** An endpoint while it is in a form. */
export type EndpointDraft = {
  url: string;
  description: string;
  events: string[];
  /** The text of its JSON; empty for all events. */
  filter: string;
  headers: HeaderField[];
  /** Empty for no limit. */
  maxPerMinute: number | '';
  honorRetryAfter: boolean;
};

/** An endpoint that does not exist yet. */
export const EMPTY_DRAFT: EndpointDraft = {
  url: '',
  description: '',
  events: ['*'],
  filter: '',
  headers: [],
  maxPerMinute: '',
  honorRetryAfter: false,
};

/** The form of an endpoint as it is. */
export function draftOf(endpoint: Endpoint): EndpointDraft {
  return {
    url: endpoint.url,
    description: endpoint.description ?? '',
    events: endpoint.events,
    filter: formatFilter(endpoint.filter),
    headers: endpoint.headerNames.map((name) => ({ key: name, name, value: '', isStored: true })),
    maxPerMinute: endpoint.maxPerMinute ?? '',
    honorRetryAfter: endpoint.honorRetryAfter,
  };
}

/** The body that registers what is in the form. */
export function newEndpointOf(draft: EndpointDraft): NewEndpoint {
  const headers = headersOf(draft.headers);
  return {
    url: draft.url.trim(),
    // The API checks the names, which come from its own list.
    events: draft.events as NewEndpoint['events'],
    filter: parseFilter(draft.filter),
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    maxPerMinute: draft.maxPerMinute === '' ? null : draft.maxPerMinute,
    honorRetryAfter: draft.honorRetryAfter,
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** What has to change so that an endpoint is as in the form. Empty if nothing has. */
export function changeOf(endpoint: Endpoint, draft: EndpointDraft): EndpointChange {
  const {
    url,
    events,
    filter = null,
    description = null,
    maxPerMinute = null,
    honorRetryAfter,
  } = newEndpointOf({ ...draft, headers: [] });
  const headers = headersChangeOf(endpoint, draft.headers);
  return {
    ...(url !== endpoint.url && { url }),
    ...(isSameSet(events, endpoint.events) ? {} : { events }),
    ...(formatFilter(filter) !== formatFilter(endpoint.filter) && { filter }),
    ...(description !== endpoint.description && { description }),
    ...(maxPerMinute !== endpoint.maxPerMinute && { maxPerMinute }),
    ...(honorRetryAfter !== endpoint.honorRetryAfter && { honorRetryAfter }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** Values that are new, and null for headers that were taken out of the form. */
function headersChangeOf({ headerNames }: Endpoint, fields: readonly HeaderField[]) {
  const present = fields.map(({ name }) => name.trim());
  const removed = headerNames.filter((name) => !present.includes(name)).map((name) => [name, null] as const);
  const kept = fields.filter(({ isStored, value }) => !isStored || value !== '');
  return { ...Object.fromEntries(removed), ...headersOf(kept) } as Record<string, string | null>;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

/** The headers of a form as an object of the API, without rows that are empty. */
export function headersOf(headers: readonly HeaderField[]): Record<string, string> {
  return Object.fromEntries(
    headers
      .filter(({ name, value }) => name.trim() !== '' || value !== '')
      .map(({ name, value }) => [name.trim(), value]),
  );
}
