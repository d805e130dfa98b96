import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { actor } from '../engagement/event.ts';
import type { Listed } from '../feed-page.ts';
import { findUpdatedRows, type UpdatedFilter, type UpdatedRow, type UpdatedTable } from '../updated-rows.ts';

/** A share link. The contract calls it a distribution. */
export const distribution = z
  .object({
    id: z.guid(),
    buyerSpaceId: z.guid(),
    recipient: actor,
    demoId: z.guid().nullable().meta({
      description: 'Id of the call whose recording the link shares; null for a link to documents only',
    }),
    forwardedFromDistributionId: z.guid().nullable().meta({
      description: 'Id of the share link from which this one was forwarded',
    }),
    updatedAt: dateTime.meta({
      description: 'Time of the last change to the share link; the sort key of `GET /distributions`',
    }),
  })
  .meta({ id: 'Distribution' });

/** A share link in the API. */
export type Distribution = z.infer<typeof distribution>;

/** The columns a share link object is built from. */
export interface DistributionRow extends UpdatedRow {
  recipientName: string | null;
  recipientEmail: string | null;
  callId: string | null;
  forwardedFromDistributionId: string | null;
}

const TABLE: UpdatedTable = {
  table: Prisma.sql`distributions`,
  idType: Prisma.sql`uuid`,
  columns: {
    recipientName: Prisma.sql`recipient_name`,
    recipientEmail: Prisma.sql`recipient_email`,
    callId: Prisma.sql`call_id`,
    forwardedFromDistributionId: Prisma.sql`forwarded_from_distribution_id`,
  },
  texts: ['recipientName', 'recipientEmail'],
};

/** Selects share links to read. An omitted field does not filter. */
export interface DistributionFilter extends Omit<UpdatedFilter, 'conditions'> {
  recordingId?: string | undefined;
}

/** Reads share links of one workspace, in feed order: by `updatedAt`, then id. */
export function findDistributions(
  db: Queryable,
  companyId: number,
  { recordingId, ...filter }: DistributionFilter,
): Promise<Listed<DistributionRow>[]> {
  const conditions = recordingId === undefined ? [] : [Prisma.sql`call_id = ${recordingId}::uuid`];
  return findUpdatedRows<DistributionRow>(db, companyId, TABLE, { ...filter, conditions });
}

/** Builds the API object of a share link. */
export function serializeDistribution(row: DistributionRow): Distribution {
  return {
    id: row.id,
    buyerSpaceId: row.roomId,
    recipient: { name: row.recipientName, email: row.recipientEmail },
    demoId: row.callId,
    forwardedFromDistributionId: row.forwardedFromDistributionId,
    updatedAt: row.updatedAt.toISOString(),
  };
}
