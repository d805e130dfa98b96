import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';

/** The person an action is attributed to: the recipient of the share link. */
export const actor = z
  .object({ name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Actor' });

/** An integer id as a string, because JSON clients round integers above 2^53. */
export const integerId = z
  .string()
  .regex(/^\d{1,18}$/)
  .meta({ id: 'IntegerId', description: 'Integer id, as a string', example: '1000000000000' });

/** An engagement event, as pulled from the feed and pushed with `engagement.recorded`. */
export const engagementEvent = z
  .object({
    id: integerId,
    type: z
      .string()
      .meta({ description: 'Open enumeration: new values may appear', example: 'trailer_view' }),
    occurredAt: dateTime,
    actor,
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Free-form details of the event' }),
    demoId: z.uuid().nullable(),
    demoTitle: z.string().nullable(),
    distributionId: z.uuid().nullable(),
    forwardedFromDistributionId: z.uuid().optional().meta({
      description: 'The share link from which this one was forwarded; present only for a forwarded link',
    }),
    buyerSpaceId: z.uuid(),
    docId: z.uuid().nullable(),
  })
  .meta({ id: 'EngagementEvent' });

/** An engagement event as the API shows it. */
export type EngagementEvent = z.infer<typeof engagementEvent>;

/** The columns an engagement event object is built from. */
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

/** The columns of an event row, for a SELECT list or an INSERT's RETURNING list. The table's alias must be `e`. */
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
    // A check constraint and the capture schema both ensure that metadata is an object.
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
