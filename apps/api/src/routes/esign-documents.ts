import { dateTimeInput } from '@deal-signals/serializers/date-time';
import {
  esignDocument,
  findEsignDocuments,
  serializeEsignDocument,
} from '@deal-signals/serializers/rooms/esign-document';
import { z } from 'zod';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { notFound } from '../http/errors.ts';
import { parseQuery, textInPath, textPath, uuid } from '../http/input.ts';
import { pageOf, TEXTS, timeCursors, timePageParameters, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { esignDocumentExample } from '../openapi/examples/esign-document.ts';

const cursors = timeCursors('esign-documents', TEXTS);

/** The query parameters of `GET /esign-documents`. */
export const listEsignDocumentsQuery = z.object({
  ...timePageParameters(cursors),
  updated_since: dateTimeInput
    .optional()
    .meta({ description: 'Only contracts that changed at or after this time' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only contracts of this Decision Room' }),
});

/** `GET /esign-documents`: the tracked contracts of the rooms, in the order they last changed. */
export const listEsignDocuments = dataOperation({
  operationId: 'listEsignDocuments',
  tag: 'Decision Rooms',
  summary: 'List contracts',
  description:
    'Returns the tracked contracts of all Decision Rooms, in the order they last changed. A contract whose status changes is returned again at its new position, so store contracts by `id`.',
  query: listEsignDocumentsQuery,
  response: pageOf(esignDocument),
  example: {
    data: [esignDocumentExample],
    nextCursor: cursors.write({ at: new Date(esignDocumentExample.updatedAt), id: esignDocumentExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = parseQuery(listEsignDocumentsQuery, query);
    const rows = await findEsignDocuments(db, companyId, {
      after: cursors.after(cursor, filters.updated_since),
      roomId: filters.buyer_space_id,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since: filters.updated_since });
    return toPage(rows, limit, ifEmpty, serializeEsignDocument, ({ updatedAt, id }) =>
      cursors.write({ at: updatedAt, id }),
    );
  },
});

/** `GET /esign-documents/{id}`: one tracked contract. */
export const getEsignDocument = dataOperation({
  operationId: 'getEsignDocument',
  tag: 'Decision Rooms',
  summary: 'Get a contract',
  params: textPath,
  response: z.object({ data: esignDocument }),
  example: { data: esignDocumentExample },
  async handler({ companyId, params }, { db }) {
    const [row] = await findEsignDocuments(db, companyId, { id: textInPath(params['id']), limit: 1 });
    if (row === undefined) throw notFound();
    return { data: serializeEsignDocument(row) };
  },
});
