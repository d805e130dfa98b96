import {
  auditRecord,
  findAuditRecords,
  serializeAuditRecord,
} from '@deal-signals/serializers/management/audit-record';
import { auditRecordExample } from '../openapi/examples/audit-record.ts';
import { z } from 'zod';
import { parseQuery } from '../http/input.ts';
import { integerCursors, integerPageParameters, pageOf, toPage } from '../http/pagination.ts';
import { adminOperation } from '../http/route.ts';

/** The query parameters of `GET /audit-log`. */
export const listAuditRecordsQuery = z.object(integerPageParameters);

/** `GET /audit-log`: every management write of the workspace, in the order in which they were done. */
export const listAuditRecords = adminOperation({
  operationId: 'listAuditRecords',
  tag: 'Audit log',
  summary: 'List audit records',
  description:
    'One record for each management write that changed something, in the order in which they were done: who, what, when, to which object. A cursor misses none.',
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
