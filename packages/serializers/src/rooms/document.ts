import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import type { Listed } from '../feed-page.ts';
import { findUpdatedRows, type UpdatedFilter, type UpdatedRow, type UpdatedTable } from '../updated-rows.ts';

/** A document of a room. The room metrics list the same documents as `assets`, with their readers. */
export const document = z
  .object({
    id: z.guid(),
    buyerSpaceId: z.guid(),
    title: z.string(),
    category: z.string(),
    uploadedByProspect: z.boolean(),
    libraryAssetId: z.string().nullable(),
    updatedAt: dateTime.meta({
      description: 'Time of the last change to the document; the sort key of `GET /documents`',
    }),
  })
  .meta({ id: 'Document' });

/** A document in the API. */
export type Document = z.infer<typeof document>;

/** The columns a document object is built from. */
export interface DocumentRow extends UpdatedRow {
  title: string;
  category: string;
  uploadedByProspect: boolean;
  libraryAssetId: string | null;
}

const TABLE: UpdatedTable = {
  table: Prisma.sql`documents`,
  idType: Prisma.sql`uuid`,
  columns: {
    title: Prisma.sql`title`,
    category: Prisma.sql`category`,
    uploadedByProspect: Prisma.sql`uploaded_by_prospect`,
    libraryAssetId: Prisma.sql`library_asset_id`,
  },
  texts: ['title', 'category', 'libraryAssetId'],
};

/** Reads documents of one workspace, in feed order: by `updatedAt`, then id. */
export function findDocuments(
  db: Queryable,
  companyId: number,
  filter: UpdatedFilter,
): Promise<Listed<DocumentRow>[]> {
  return findUpdatedRows<DocumentRow>(db, companyId, TABLE, filter);
}

/** Builds the API object of a document. */
export function serializeDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    buyerSpaceId: row.roomId,
    title: row.title,
    category: row.category,
    uploadedByProspect: row.uploadedByProspect,
    libraryAssetId: row.libraryAssetId,
    updatedAt: row.updatedAt.toISOString(),
  };
}
