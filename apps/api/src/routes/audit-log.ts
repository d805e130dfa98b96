import type { Queryable } from '@deal-signals/db/queryable';
import { isStorable } from '@deal-signals/db/storable-text';
import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  AUDIT_ACTIONS,
  AUDIT_OBJECT_TYPES,
  type AuditRecord,
  type AuditRecordFilter,
  auditRecord,
  findAuditRecords,
  serializeAuditRecord,
} from '@deal-signals/serializers/management/audit-record';
import { z } from 'zod';
import { auditRecordExample } from '@deal-signals/serializers/examples/audit-record';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { invalidField } from '../http/errors.ts';
import { integerId, oneOf, WITHOUT_NUL } from '../http/input.ts';
import {
  type Cursors,
  descendingCursors,
  integerCursors,
  orderedPageParameters,
  type Page,
  pageOf,
  toPage,
} from '../http/pagination.ts';
import { adminOperation } from '../http/route.ts';

const MAX_OBJECT_ID_CHARACTERS = 100;
const OBJECT_ID_MESSAGE = `must be a string of 1 to ${MAX_OBJECT_ID_CHARACTERS} characters`;
/** The size of the largest page. */
const EXPORTED_AT_ONCE = 500;

/** The query parameters of `GET /audit-log`. */
export const listAuditRecordsQuery = z.object({
  ...orderedPageParameters,
  action: oneOf(AUDIT_ACTIONS).optional().meta({ description: 'Only records of this action' }),
  user_id: integerId.optional().meta({ description: 'Only records of this user' }),
  object_type: oneOf(AUDIT_OBJECT_TYPES).optional().meta({
    description: 'Only records about the object of this type whose id is in `object_id`',
  }),
  object_id: z
    .string()
    .min(1, OBJECT_ID_MESSAGE)
    .max(MAX_OBJECT_ID_CHARACTERS, OBJECT_ID_MESSAGE)
    .refine(isStorable, OBJECT_ID_MESSAGE)
    .optional()
    .meta({ description: 'Id of the object; needs `object_type`', pattern: WITHOUT_NUL }),
  since: dateTimeInput.optional().meta({ description: 'Only records of this time or later' }),
  until: dateTimeInput.optional().meta({ description: 'Only records before this time' }),
});

type AuditQuery = z.output<typeof listAuditRecordsQuery>;

/** `GET /audit-log`: management writes and rejected requests of the workspace, in the order they were made or the reverse. */
export const listAuditRecords = adminOperation({
  operationId: 'listAuditRecords',
  tag: 'Audit log',
  summary: 'List audit records',
  description:
    'Returns one record for each management write that changed something, and for requests that were rejected with 403: who did what to which object, when, and from where. The records are in the order they were made, and paging with a cursor never misses one; with `order=desc` they are in the reverse order, newest first. With `Accept: application/x-ndjson`, the response has all records after `cursor` that match the filters, one per line; `limit` does not apply.',
  query: listAuditRecordsQuery,
  response: pageOf(auditRecord),
  example: { data: [auditRecordExample], nextCursor: auditRecordExample.id, hasMore: true },
  handler: ({ companyId, query }, { db }) => findAuditPage(db, companyId, query),
  lines: {
    description: 'All records after `cursor`, one `AuditRecord` object per line',
    example: `${JSON.stringify(auditRecordExample)}\n`,
    handler: ({ companyId, query }, { db }) => exportRecords(db, companyId, parseFilter(query).filter),
  },
});

/** Returns a page of the audit log of a workspace. @throws ApiError INVALID_REQUEST or INVALID_CURSOR. */
export async function findAuditPage(
  db: Queryable,
  companyId: number,
  query: AuditQuery,
): Promise<Page<AuditRecord>> {
  const { limit, cursor, cursors, filter } = parseFilter(query);
  const rows = await findAuditRecords(db, companyId, { ...filter, limit: limit + 1 });
  const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since: filter.since });
  return toPage(rows, limit, ifEmpty, serializeAuditRecord, ({ id }) => cursors.write(id));
}

/** Reads all records that match a filter, page by page, as lines. No connection is held between two pages. */
async function* exportRecords(
  db: Queryable,
  companyId: number,
  filter: Omit<AuditRecordFilter, 'limit'>,
): AsyncGenerator<string, void> {
  let { position } = filter;
  for (;;) {
    const rows = await findAuditRecords(db, companyId, { ...filter, position, limit: EXPORTED_AT_ONCE });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => `${JSON.stringify(serializeAuditRecord(row))}\n`).join('');
    if (rows.length < EXPORTED_AT_ONCE) return;
    position = last.id;
  }
}

/** @throws ApiError INVALID_REQUEST or INVALID_CURSOR. */
function parseFilter(fields: AuditQuery): {
  limit: number;
  cursor: string | undefined;
  cursors: Cursors<bigint>;
  filter: Omit<AuditRecordFilter, 'limit'>;
} {
  const isNewestFirst = fields.order === 'desc';
  const cursors = isNewestFirst ? descendingCursors : integerCursors;
  const { limit, cursor, action, since, until } = fields;
  const { user_id: userId, object_type: type, object_id: id } = fields;
  if (type === undefined && id !== undefined)
    throw invalidField('object_type', 'must be given with object_id');
  if (type !== undefined && id === undefined)
    throw invalidField('object_id', 'must be given with object_type');
  const object = type === undefined || id === undefined ? undefined : { type, id };
  const position = cursors.read(cursor ?? cursors.start);
  return {
    limit,
    cursor,
    cursors,
    filter: { position, isNewestFirst, action, userId, object, since, until },
  };
}
