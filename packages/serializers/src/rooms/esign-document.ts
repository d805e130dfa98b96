import type { EsignDocument as StoredDocument } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';

/** The states of a contract at its e-signature vendor. */
export const esignStatus = z.enum([
  'sent',
  'delivered',
  'viewed',
  'signed_partial',
  'completed',
  'declined',
  'voided',
]);

/** A tracked contract, as shown in the room metrics and pushed with `decision_room.esign.updated`. */
export const esignDocument = z
  .object({
    id: z.string(),
    vendor: z.string(),
    envelopeId: z.string(),
    subject: z.string().nullable(),
    status: esignStatus,
    recipientCount: z.int().nullable(),
    sentAt: dateTime.nullable(),
    firstViewedAt: dateTime.nullable(),
    lastEventAt: dateTime.nullable(),
    completedAt: dateTime.nullable(),
    declinedAt: dateTime.nullable(),
  })
  .meta({ id: 'EsignDocument' });

/** A tracked contract as the API shows it. */
export type EsignDocument = z.infer<typeof esignDocument>;

/** The columns that the object of a tracked contract is built from. */
export type EsignDocumentRow = Omit<StoredDocument, 'companyId' | 'roomId'>;

/** Builds the API object of a tracked contract. */
export function serializeEsignDocument(row: EsignDocumentRow): EsignDocument {
  return {
    id: row.id,
    vendor: row.vendor,
    envelopeId: row.envelopeId,
    subject: row.subject,
    status: row.status,
    recipientCount: row.recipientCount,
    sentAt: dateTimeOrNull(row.sentAt),
    firstViewedAt: dateTimeOrNull(row.firstViewedAt),
    lastEventAt: dateTimeOrNull(row.lastEventAt),
    completedAt: dateTimeOrNull(row.completedAt),
    declinedAt: dateTimeOrNull(row.declinedAt),
  };
}
