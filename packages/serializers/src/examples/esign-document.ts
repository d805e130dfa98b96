import type { EsignDocument } from '../rooms/esign-document.ts';

/** A contract that was opened and not yet signed. */
export const esignDocumentExample: EsignDocument = {
  id: 'agr_20931',
  buyerSpaceId: '5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6',
  vendor: 'penandink',
  envelopeId: 'env_7c41',
  subject: 'Order form',
  status: 'viewed',
  recipientCount: 2,
  sentAt: '2026-09-08T10:00:00.000Z',
  firstViewedAt: '2026-09-08T11:45:00.000Z',
  lastEventAt: '2026-09-08T11:45:00.000Z',
  completedAt: null,
  declinedAt: null,
  updatedAt: '2026-09-10T09:00:01.790Z',
};
