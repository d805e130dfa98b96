import { jsonOf } from '@deal-signals/serializers/object-text';
import {
  esignDocument,
  type EsignDocumentRow,
  findEsignDocuments,
  serializeEsignDocument,
} from '@deal-signals/serializers/rooms/esign-document';
import { esignDocumentExample } from '@deal-signals/serializers/examples/esign-document';
import { uuid } from '../../http/input.ts';
import { TEXTS, timeCursors } from '../../http/pagination.ts';
import { feed, readOne } from './feed.ts';

const shown = {
  tag: 'Decision Rooms',
  item: esignDocument,
  example: esignDocumentExample,
  text: (row: EsignDocumentRow) => jsonOf(serializeEsignDocument(row)),
} as const;

/** `GET /esign-documents`: the tracked contracts of the rooms, in the order they last changed. */
export const listEsignDocuments = feed({
  ...shown,
  operationId: 'listEsignDocuments',
  summary: 'List contracts',
  description:
    'Returns the tracked contracts of all Decision Rooms, in the order they last changed. A contract whose status changes is returned again at its new position, so store contracts by `id`.',
  cursors: timeCursors('esign-documents', TEXTS),
  sortKey: 'updatedAt',
  updatedSince: 'Only contracts that changed at or after this time',
  filters: {
    buyer_space_id: uuid.optional().meta({ description: 'Only contracts of this Decision Room' }),
  },
  find: (db, companyId, { buyer_space_id: roomId, ...page }) =>
    findEsignDocuments(db, companyId, { ...page, roomId }),
});

/** `GET /esign-documents/{id}`: one tracked contract. */
export const getEsignDocument = readOne({
  ...shown,
  operationId: 'getEsignDocument',
  summary: 'Get a contract',
  ids: 'text',
  find: (db, companyId, id) => findEsignDocuments(db, companyId, { id, limit: 1 }),
});
