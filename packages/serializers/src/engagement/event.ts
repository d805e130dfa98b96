import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';

/** Whose action it was: the person the share link was addressed to. */
export const actor = z
  .object({ name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Actor' });

/** An integer id as text, so that no client rounds it. */
export const integerId = z
  .string()
  .regex(/^\d{1,18}$/)
  .meta({ id: 'IntegerId', description: 'Integer as text', example: '1000000000000' });

/** An engagement event, as pulled from the feed and pushed with `engagement.recorded`. */
export const engagementEvent = z
  .object({
    id: integerId,
    type: z
      .string()
      .meta({ description: 'Open enumeration: new values may appear', example: 'trailer_view' }),
    occurredAt: dateTime,
    actor,
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Free-form' }),
    demoId: z.uuid().nullable(),
    demoTitle: z.string().nullable(),
    distributionId: z.uuid().nullable(),
    forwardedFromDistributionId: z
      .uuid()
      .optional()
      .meta({ description: 'Only present when the link that was used is a forward of another' }),
    buyerSpaceId: z.uuid(),
    docId: z.uuid().nullable(),
  })
  .meta({ id: 'EngagementEvent' });

/** An engagement event as the API shows it. */
export type EngagementEvent = z.infer<typeof engagementEvent>;

/** The columns that an engagement event object is made of. */
export interface EngagementEventRow {
  id: bigint;
  type: string;
  occurredAt: Date;
  actorName: string | null;
  actorEmail: string | null;
  metadata: unknown;
  demoId: string | null;
  demoTitle: string | null;
  distributionId: string | null;
  forwardedFromDistributionId: string | null;
  buyerSpaceId: string;
  docId: string | null;
}

/** The select list of an event row; the table's alias is `e`, in a SELECT and in an INSERT's RETURNING alike. */
export const engagementEventColumns = Prisma.sql`
  e.id, e.type, e.occurred_at AS "occurredAt", e.actor_name AS "actorName", e.actor_email AS "actorEmail", e.metadata,
  e.demo_id AS "demoId", e.demo_title AS "demoTitle", e.distribution_id AS "distributionId",
  e.forwarded_from_distribution_id AS "forwardedFromDistributionId", e.buyer_space_id AS "buyerSpaceId",
  e.doc_id AS "docId"`;

/**
 * Reads engagement events of one workspace.
 *
 * @param rest what follows `WHERE company_id = …`: further conditions on the table alias `e`, order and limit.
 */
export function findEngagementEvents(
  db: Queryable,
  companyId: number,
  rest: Prisma.Sql,
): Promise<EngagementEventRow[]> {
  return db.$queryRaw<EngagementEventRow[]>`
    SELECT ${engagementEventColumns} FROM engagement_events e WHERE e.company_id = ${companyId} ${rest}`;
}

/** Builds the API object of an engagement event. */
export function serializeEngagementEvent(row: EngagementEventRow): EngagementEvent {
  return {
    id: String(row.id),
    type: row.type,
    occurredAt: row.occurredAt.toISOString(),
    actor: { name: row.actorName, email: row.actorEmail },
    // The column's check and the capture schema both see to it that metadata is an object.
    metadata: row.metadata as Record<string, unknown>,
    demoId: row.demoId,
    demoTitle: row.demoTitle,
    distributionId: row.distributionId,
    ...(row.forwardedFromDistributionId !== null && {
      forwardedFromDistributionId: row.forwardedFromDistributionId,
    }),
    buyerSpaceId: row.buyerSpaceId,
    docId: row.docId,
  };
}
