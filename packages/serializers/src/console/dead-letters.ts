import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';

/** Maximum number of dead letters of each endpoint that are grouped, newest first. */
const MAX_GROUPED = 1_000;
/** The same limit if only one endpoint is requested. */
const MAX_GROUPED_OF_ONE = 10_000;
/** Maximum number of groups that are returned, largest first. */
const MAX_GROUPS = 200;

const deadLetterGroup = z
  .object({
    endpointId: z.int(),
    error: z.string().nullable().meta({ description: 'The error of the last attempt of each of them' }),
    statusCode: z.int().nullable().meta({ description: 'The status of the last response; null without one' }),
    count: z.int(),
    countExact: z.boolean().meta({ description: 'False if there may be more, older ones' }),
    oldestAt: dateTime.meta({
      description: 'When the oldest counted event was created',
    }),
    newestAt: dateTime.meta({ description: 'When the newest event was created' }),
    exampleDeliveryId: integerId.meta({ description: 'The newest delivery of the group' }),
  })
  .meta({ id: 'DeadLetterGroup' });

/** Dead letters by endpoint and error. */
export const deadLetterGroups = z
  .object({
    data: z.array(deadLetterGroup).meta({ description: 'At most 200 groups, the largest first' }),
    isComplete: z.boolean().meta({
      description:
        'False if there may be dead deliveries that were not grouped: the newest 1,000 of each endpoint are grouped, or 10,000 with `endpoint_id`',
    }),
  })
  .meta({ id: 'DeadLetterGroups' });

/** The groups in the API. */
export type DeadLetterGroups = z.infer<typeof deadLetterGroups>;

/** Dead letters of an endpoint that have the same error. */
interface GroupRow {
  endpointId: number;
  error: string | null;
  statusCode: number | null;
  count: number;
  oldestAt: Date;
  newestAt: Date;
  exampleDeliveryId: bigint;
  /** Whether the endpoint may have more dead letters than were grouped. */
  isCut: boolean;
}

/**
 * Groups the dead letters of a workspace, or of one endpoint, that `deadDeliveries` of the status counts. It reads the newest
 * ones of each endpoint in one index scan.
 */
export async function findDeadLetterGroups(
  db: Queryable,
  companyId: number,
  endpointId: number | undefined,
): Promise<DeadLetterGroups> {
  const most = endpointId === undefined ? MAX_GROUPED : MAX_GROUPED_OF_ONE;
  const only = endpointId === undefined ? Prisma.empty : Prisma.sql`AND endpoint.id = ${endpointId}`;
  const rows = await db.query<GroupRow>(Prisma.sql`
      SELECT endpoint.id AS "endpointId", dead.*
      FROM webhook_endpoints AS endpoint
      CROSS JOIN LATERAL (
        SELECT last_error AS error, last_status_code AS "statusCode", count(*)::int AS count,
          min(created_at) AS "oldestAt", max(created_at) AS "newestAt",
          (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS "exampleDeliveryId",
          max(of_endpoint) = ${most} AS "isCut"
        FROM (
          SELECT *, count(*) OVER () AS of_endpoint FROM (
            SELECT id, created_at, last_error, last_status_code FROM webhook_deliveries
            WHERE company_id = endpoint.company_id AND endpoint_id = endpoint.id AND ${OPEN_DEAD_LETTER}
            ORDER BY company_id DESC, endpoint_id DESC, created_at DESC, id DESC LIMIT ${most}
          ) AS newest
        ) AS grouped
        GROUP BY last_error, last_status_code
      ) AS dead
      WHERE endpoint.company_id = ${companyId} AND endpoint.removed_at IS NULL ${only}
      ORDER BY dead.count DESC, endpoint.id, dead.error, dead."statusCode"
      LIMIT ${MAX_GROUPS + 1}`);
  return {
    data: rows.slice(0, MAX_GROUPS).map(serializeGroup),
    isComplete: rows.length <= MAX_GROUPS && !rows.some(({ isCut }) => isCut),
  };
}

function serializeGroup({ isCut, exampleDeliveryId, oldestAt, newestAt, ...row }: GroupRow) {
  return {
    ...row,
    countExact: !isCut,
    oldestAt: oldestAt.toISOString(),
    newestAt: newestAt.toISOString(),
    exampleDeliveryId: String(exampleDeliveryId),
  };
}
