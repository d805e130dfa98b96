import {
  auditRecord,
  findAuditRecords,
  serializeAuditRecord,
} from '@deal-signals/serializers/management/audit-record';
import { z } from 'zod';
import { parseQuery } from '../http/input.ts';
import { integerCursors, integerPageParameters, pageOf, toPage } from '../http/pagination.ts';
import { adminOperation } from '../http/route.ts';
import { auditRecordExample } from '../openapi/examples/audit-record.ts';

/** The query parameters of `GET /audit-log`. */
export const listAuditRecordsQuery = z.object(integerPageParameters);

/** `GET /audit-log`: the management writes of the workspace, in the order they were made. */
export const listAuditRecords = adminOperation({
  operationId: 'listAuditRecords',
  tag: 'Audit log',
  summary: 'List audit records',
  description:
    'Returns one record for each management write that changed something: who did what to which object, and when. The records are in the order the writes were made, and paging with a cursor never misses one.',
  query: listAuditRecordsQuery,
  response: pageOf(auditRecord),
  example: { data: [auditRecordExample], nextCursor: auditRecordExample.id, hasMore: true },
  async handler({ companyId, query }, { db }) {
    const { cursor = integerCursors.start, limit } = parseQuery(listAuditRecordsQuery, query);
    const rows = await findAuditRecords(db, companyId, {
      after: integerCursors.read(cursor),
      limit: limit + 1,
    });
    return toPage(rows, limit, cursor, serializeAuditRecord, ({ id }) => integerCursors.write(id));
  },
});
