import type { paths } from '../../api/generated/integration.ts';
import type { Endpoint } from '../endpoint.ts';
import { formatFilter, parseFilter } from './filter-field.tsx';

/** The body that registers an endpoint. */
type NewEndpoint = paths['/webhooks']['post']['requestBody']['content']['application/json'];
/** The body that changes an endpoint. */
export type EndpointChange = paths['/webhooks/{id}']['patch']['requestBody']['content']['application/json'];

/** A custom header in a form. */
export interface HeaderField {
  /** Identifies the row in the form. */
  key: string;
  name: string;
  value: string;
  /** Whether the API has a stored value, which it keeps if the field is empty and the URL unchanged. */
  isStored: boolean;
}

/** The values of the endpoint form. */
export type EndpointDraft = {
  url: string;
  description: string;
  events: string[];
  /** The filter as JSON text; empty for all events. */
  filter: string;
  headers: HeaderField[];
  /** Empty for no limit. */
  maxPerMinute: number | '';
  honorRetryAfter: boolean;
};

/** The initial values for a new endpoint. */
export const EMPTY_DRAFT: EndpointDraft = {
  url: '',
  description: '',
  events: ['*'],
  filter: '',
  headers: [],
  maxPerMinute: '',
  honorRetryAfter: false,
};

/** Returns the form values of an existing endpoint. */
export function toDraft(endpoint: Endpoint): EndpointDraft {
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

/** Returns the request body that registers the endpoint in the form. */
export function toNewEndpoint(draft: EndpointDraft): NewEndpoint {
  const headers = toHeaders(draft.headers);
  return {
    url: draft.url.trim(),
    // The API validates the names, which come from its own list.
    events: draft.events as NewEndpoint['events'],
    filter: parseFilter(draft.filter),
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    maxPerMinute: draft.maxPerMinute === '' ? null : draft.maxPerMinute,
    honorRetryAfter: draft.honorRetryAfter,
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** Returns the changes between an endpoint and the form. Empty if there are none. */
export function diffDraft(endpoint: Endpoint, draft: EndpointDraft): EndpointChange {
  const {
    url,
    events,
    filter = null,
    description = null,
    maxPerMinute = null,
    honorRetryAfter,
  } = toNewEndpoint({ ...draft, headers: [] });
  const headers = diffHeaders(endpoint, draft.headers);
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

/** Returns new values, and null for headers that were removed from the form. */
function diffHeaders({ headerNames }: Endpoint, fields: readonly HeaderField[]) {
  const present = fields.map(({ name }) => name.trim());
  const removed = headerNames.filter((name) => !present.includes(name)).map((name) => [name, null] as const);
  const kept = fields.filter(({ isStored, value }) => !isStored || value !== '');
  return { ...Object.fromEntries(removed), ...toHeaders(kept) } as Record<string, string | null>;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

/** Converts the headers of a form to an object for the API, without empty rows. */
export function toHeaders(headers: readonly HeaderField[]): Record<string, string> {
  return Object.fromEntries(
    headers
      .filter(({ name, value }) => name.trim() !== '' || value !== '')
      .map(({ name, value }) => [name.trim(), value]),
  );
}
