import { auditRecord } from '@deal-signals/serializers/management/audit-record';
import { z } from 'zod';
import { auditRecordExample } from '@deal-signals/serializers/examples/audit-record';
import { pageOf } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { findAuditPage, listAuditRecordsQuery } from '../routes/audit-log.ts';

const namedRecord = auditRecord
  .extend({
    userName: z.string().nullable().meta({
      description:
        'The name of the user; null if the system did it, or if the user is not known in the workspace',
    }),
  })
  .meta({ id: 'ConsoleAuditRecord' });

/** `GET /audit-log` of the console: the audit log with the names of the users. */
export const listAuditRecords = dataOperation({
  operationId: 'listAuditRecords',
  tag: 'Audit log',
  summary: 'List audit records with the names of the users',
  description:
    'Returns the records of `GET /api/v1/audit-log`, with the same parameters, and the name of the user of each.',
  query: listAuditRecordsQuery,
  response: pageOf(namedRecord, 'Records in the requested order'),
  example: {
    data: [{ ...auditRecordExample, userName: 'Maren Holt' }],
    nextCursor: auditRecordExample.id,
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const page = await findAuditPage(db, companyId, query);
    const ids = new Set(page.data.flatMap(({ userId }) => userId ?? []));
    const users = await db.user.findMany({
      where: { companyId, id: { in: [...ids] } },
      select: { id: true, name: true },
    });
    const names = new Map(users.map(({ id, name }) => [id, name]));
    return {
      ...page,
      data: page.data.map((record) => ({ ...record, userName: names.get(record.userId ?? -1) ?? null })),
    };
  },
});
