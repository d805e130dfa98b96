import type { Queryable } from '@deal-signals/db/queryable';
import { type EsignDocument as StoredDocument, Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import type { Listed } from '../feed-page.ts';
import { findUpdatedRows, type UpdatedFilter, type UpdatedTable } from '../updated-rows.ts';

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

/** A tracked contract, as pulled from its feed and the room metrics and pushed with `decision_room.esign.updated`. */
export const esignDocument = z
  .object({
    id: z.string(),
    buyerSpaceId: z.guid(),
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
    updatedAt: dateTime.meta({
      description: 'Time of the last change to the contract; the sort key of `GET /esign-documents`',
    }),
  })
  .meta({ id: 'EsignDocument' });

/** A tracked contract in the API. */
export type EsignDocument = z.infer<typeof esignDocument>;

/** The columns that the object of a tracked contract is built from. */
export type EsignDocumentRow = Omit<StoredDocument, 'companyId'>;

/** The columns of a contract besides those of every object in a room. */
export const ESIGN_COLUMNS = {
  vendor: Prisma.sql`vendor`,
  envelopeId: Prisma.sql`envelope_id`,
  subject: Prisma.sql`subject`,
  status: Prisma.sql`status::text`,
  recipientCount: Prisma.sql`recipient_count`,
  sentAt: Prisma.sql`sent_at`,
  firstViewedAt: Prisma.sql`first_viewed_at`,
  lastEventAt: Prisma.sql`last_event_at`,
  completedAt: Prisma.sql`completed_at`,
  declinedAt: Prisma.sql`declined_at`,
};

const TABLE: UpdatedTable = {
  table: Prisma.sql`esign_documents`,
  idType: Prisma.sql`text`,
  columns: ESIGN_COLUMNS,
  texts: ['id', 'vendor', 'envelopeId', 'subject'],
};

/** Reads tracked contracts of one workspace, in feed order: by `updatedAt`, then id. */
export function findEsignDocuments(
  db: Queryable,
  companyId: number,
  filter: UpdatedFilter,
): Promise<Listed<EsignDocumentRow>[]> {
  return findUpdatedRows<EsignDocumentRow>(db, companyId, TABLE, filter);
}

/** Builds the API object of a tracked contract. */
export function serializeEsignDocument(row: EsignDocumentRow): EsignDocument {
  return {
    id: row.id,
    buyerSpaceId: row.roomId,
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
    updatedAt: row.updatedAt.toISOString(),
  };
}
