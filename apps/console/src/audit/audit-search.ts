import { isTime } from '../deliveries/delivery-search.ts';
import type { operations } from '../api/generated/console.ts';
import { ACTION_CHOICES, OBJECT_TYPES } from './audit-words.ts';

type Query = NonNullable<operations['listAuditRecords']['parameters']['query']>;

/** The filters of the audit log in the address of the page, with the names that the API uses. */
export interface AuditSearch {
  action?: NonNullable<Query['action']>;
  user_id?: number;
  object_type?: NonNullable<Query['object_type']>;
  object_id?: string;
  since?: string;
  until?: string;
}

/** Reads the filters from an address. Invalid values are ignored. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { action, user_id: userId, object_type: type, object_id: id, since, until } = search;
  const hasObject = OBJECT_TYPES.some(({ value }) => value === type);
  return {
    ...(ACTION_CHOICES.some(({ value }) => value === action) && {
      action: action as NonNullable<AuditSearch['action']>,
    }),
    ...(isUserId(userId) && { user_id: Number(userId) }),
    ...(hasObject && { object_type: type as NonNullable<AuditSearch['object_type']> }),
    ...(hasObject && isId(id) && { object_id: String(id) }),
    ...(isTime(since) && { since }),
    ...(isTime(until) && { until }),
  };
}

/** Converts the filters to API parameters. The API requires the kind and the id of an object together. */
export function auditQuery({ object_type: type, object_id: id, ...others }: AuditSearch): Query {
  return { ...others, ...(type !== undefined && id !== undefined && { object_type: type, object_id: id }) };
}

function isUserId(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && /^\d{1,9}$/.test(String(value));
}

// The router parses the id 3 as a number.
function isId(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
