import { jsonOf } from '@deal-signals/serializers/object-text';
import {
  document,
  type DocumentRow,
  findDocuments,
  serializeDocument,
} from '@deal-signals/serializers/rooms/document';
import { documentExample } from '@deal-signals/serializers/examples/document';
import { uuid } from '../../http/input.ts';
import { timeCursors } from '../../http/pagination.ts';
import { feed, readOne } from './feed.ts';

const shown = {
  tag: 'Decision Rooms',
  item: document,
  example: documentExample,
  text: (row: DocumentRow) => jsonOf(serializeDocument(row)),
} as const;

/** `GET /documents`: the documents of the rooms, in the order they last changed. */
export const listDocuments = feed({
  ...shown,
  operationId: 'listDocuments',
  summary: 'List documents',
  description:
    'Returns the documents of all Decision Rooms, in the order they last changed. A document that changes is returned again at its new position, so store documents by `id`. Who read them is part of the metrics of a room.',
  cursors: timeCursors('documents'),
  sortKey: 'updatedAt',
  updatedSince: 'Only documents that changed at or after this time',
  filters: {
    buyer_space_id: uuid.optional().meta({ description: 'Only documents of this Decision Room' }),
  },
  find: (db, companyId, { buyer_space_id: roomId, ...page }) =>
    findDocuments(db, companyId, { ...page, roomId }),
});

/** `GET /documents/{id}`: one document. */
export const getDocument = readOne({
  ...shown,
  operationId: 'getDocument',
  summary: 'Get a document',
  find: (db, companyId, id) => findDocuments(db, companyId, { id, limit: 1 }),
});
