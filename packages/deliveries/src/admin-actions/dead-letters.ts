import type { Transaction } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';

/** Where the count of dead letters stops. */
export const MAX_COUNTED = 50_000;

/** Selects dead letters of an endpoint. Omitted fields do not restrict the selection. */
export interface DeadLetterSelection {
  /** Only deliveries of events created at this time or later. */
  since?: Date | undefined;
  /** Only deliveries of events created before this time. */
  before?: Date | undefined;
  /** Only deliveries whose last attempt ended with this error; null selects those without one. */
  error?: string | null | undefined;
  /** Only these deliveries. Ids that are not dead letters of the endpoint are ignored. */
  deliveryIds?: readonly bigint[] | undefined;
  /** Only dead letters after this position. */
  after?: DeadLetterPosition | undefined;
}

/** The position of a dead letter among those of its endpoint, which are moved oldest first. */
export interface DeadLetterPosition {
  createdAt: Date;
  id: bigint;
}

/** The result of one call. */
export interface MovedDeadLetters {
  count: number;
  /** The last dead letter that was moved, if there may be more after it; otherwise null. */
  last: DeadLetterPosition | null;
}

/**
 * Returns the query for the ids of dead letters of an endpoint, oldest first: deliveries that are dead and not dismissed, without
 * test events. It walks one of the two indexes of these deliveries, by time or by error and time, or looks up the given ids. So
 * it reads about as many rows as it finds.
 *
 * @param limit the maximum number of ids.
 */
export function selectDeadLetters(
  companyId: number,
  endpointId: number,
  { since, before, error, deliveryIds, after }: DeadLetterSelection,
  limit: number,
): Prisma.Sql {
  const conditions = [
    Prisma.sql`company_id = ${companyId} AND endpoint_id = ${endpointId} AND ${OPEN_DEAD_LETTER}`,
  ];
  if (since !== undefined) conditions.push(Prisma.sql`created_at >= ${since}::timestamptz`);
  if (before !== undefined) conditions.push(Prisma.sql`created_at < ${before}::timestamptz`);
  if (error !== undefined) {
    // The index has the hash of the error, because an error may be long. Two errors may have the same hash, so the error is
    // compared as well.
    conditions.push(
      Prisma.sql`hashtextextended(coalesce(last_error, ''), 0) = hashtextextended(coalesce(${error}::text, ''), 0)
        AND last_error IS NOT DISTINCT FROM ${error}::text`,
    );
  }
  if (after !== undefined) {
    conditions.push(Prisma.sql`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::bigint)`);
  }
  if (deliveryIds !== undefined) conditions.push(Prisma.sql`id = ANY (${[...deliveryIds]}::bigint[])`);
  return Prisma.sql`
      SELECT id FROM webhook_deliveries
      WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY created_at, id
      LIMIT ${limit}`;
}

/**
 * Moves dead letters of an endpoint, oldest first. It locks the endpoint. Dead letters change only under that lock, so their rows
 * need no lock of their own. A row lock in the subquery would make PostgreSQL read and sort all dead letters instead of walking
 * the index up to the limit.
 *
 * @param move returns common table expressions that change the logged deliveries with these ids; the last one, `moved`, returns
 *   their `created_at` and `id`.
 * @param limit the maximum number to move.
 * @returns what was moved, or the reason why nothing was.
 */
export async function moveDeadLetters(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  selection: DeadLetterSelection,
  move: (ids: Prisma.Sql, isOpen: boolean) => Prisma.Sql,
  limit: number,
): Promise<MovedDeadLetters | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const ids = Prisma.sql`ARRAY(${selectDeadLetters(companyId, endpointId, selection, limit)})`;
  const [last] = await tx.$queryRaw<(DeadLetterPosition & { count: number })[]>`
    WITH ${move(ids, state === 'open')}
    SELECT created_at AS "createdAt", id, (count(*) OVER ())::int AS count
    FROM moved ORDER BY created_at DESC, id DESC LIMIT 1`;
  if (last === undefined) return { count: 0, last: null };
  const { count, ...position } = last;
  return { count, last: count < limit ? null : position };
}

/** Counts dead letters of an endpoint, up to `MAX_COUNTED + 1`. Returns 0 if the endpoint was removed or is unknown. */
export async function countDeadLetters(
  db: Queryable,
  companyId: number,
  endpointId: number,
  selection: DeadLetterSelection,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(Prisma.sql`
      SELECT count(*)::int AS count
      FROM webhook_endpoints AS endpoint
      CROSS JOIN (${selectDeadLetters(companyId, endpointId, selection, MAX_COUNTED + 1)}) AS dead
      WHERE endpoint.company_id = ${companyId} AND endpoint.id = ${endpointId} AND endpoint.removed_at IS NULL`);
  return row?.count ?? 0;
}
