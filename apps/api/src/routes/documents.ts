import { dateTimeInput } from '@deal-signals/serializers/date-time';
import { document, findDocuments, serializeDocument } from '@deal-signals/serializers/rooms/document';
import { z } from 'zod';
import { cursorIfEmpty } from '../http/empty-page.ts';
import { notFound } from '../http/errors.ts';
import { parseQuery, uuid, uuidInPath, uuidPath } from '../http/input.ts';
import { pageOf, timeCursors, timePageParameters, toPage } from '../http/pagination.ts';
import { dataOperation } from '../http/route.ts';
import { documentExample } from '../openapi/examples/document.ts';

const cursors = timeCursors('documents');

/** The query parameters of `GET /documents`. */
export const listDocumentsQuery = z.object({
  ...timePageParameters(cursors),
  updated_since: dateTimeInput
    .optional()
    .meta({ description: 'Only documents that changed at or after this time' }),
  buyer_space_id: uuid.optional().meta({ description: 'Only documents of this Decision Room' }),
});

/** `GET /documents`: the documents of the rooms, in the order they last changed. */
export const listDocuments = dataOperation({
  operationId: 'listDocuments',
  tag: 'Decision Rooms',
  summary: 'List documents',
  description:
    'Returns the documents of all Decision Rooms, in the order they last changed. A document that changes is returned again at its new position, so store documents by `id`. Who read them is part of the metrics of a room.',
  query: listDocumentsQuery,
  response: pageOf(document),
  example: {
    data: [documentExample],
    nextCursor: cursors.write({ at: new Date(documentExample.updatedAt), id: documentExample.id }),
    hasMore: true,
  },
  async handler({ companyId, query }, { db }) {
    const { cursor, limit, ...filters } = parseQuery(listDocumentsQuery, query);
    const rows = await findDocuments(db, companyId, {
      after: cursors.after(cursor, filters.updated_since),
      roomId: filters.buyer_space_id,
      limit: limit + 1,
    });
    const ifEmpty = await cursorIfEmpty(db, rows, cursors, { cursor, since: filters.updated_since });
    return toPage(rows, limit, ifEmpty, serializeDocument, ({ updatedAt, id }) =>
      cursors.write({ at: updatedAt, id }),
    );
  },
});

/** `GET /documents/{id}`: one document. */
export const getDocument = dataOperation({
  operationId: 'getDocument',
  tag: 'Decision Rooms',
  summary: 'Get a document',
  params: uuidPath,
  response: z.object({ data: document }),
  example: { data: documentExample },
  async handler({ companyId, params }, { db }) {
    const [row] = await findDocuments(db, companyId, { id: uuidInPath(params['id']), limit: 1 });
    if (row === undefined) throw notFound();
    return { data: serializeDocument(row) };
  },
});
