import type { Queryable, Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPEN_DEAD_LETTER } from '@deal-signals/outbox/open-dead-letter';
import { lockEndpoint } from '../endpoints/endpoint-state.ts';

/** How far dead letters are counted. */
export const MAX_COUNTED = 50_000;

/** Which dead letters of an endpoint to move or count. A field that is left out does not select. */
export interface DeadLetterSelection {
  /** Only deliveries of events created then or later. */
  since?: Date | undefined;
  /** Only deliveries of events created earlier. */
  before?: Date | undefined;
  /** Only deliveries whose last attempt ended with this error; null selects those without one. */
  error?: string | null | undefined;
  /** Only these deliveries. Those that are no dead letters of the endpoint are left alone. */
  deliveryIds?: readonly bigint[] | undefined;
  /** Only those behind this one. */
  after?: DeadLetterPosition | undefined;
}

/** The place of a dead letter among those of its endpoint, which are moved oldest first. */
export interface DeadLetterPosition {
  createdAt: Date;
  id: bigint;
}

/** What one call has moved. */
export interface MovedDeadLetters {
  count: number;
  /** The last one that was moved, if there may be more behind it; else null. */
  last: DeadLetterPosition | null;
}

/**
 * The query of the ids of dead letters of an endpoint, oldest first: dead, not dismissed, and no test events. It walks one of
 * the two indexes of just these deliveries, by time or by error and time, or looks up the ones that are named: it reads about
 * as many rows as it finds.
 *
 * @param most how many ids at most.
 */
export function selectDeadLetters(
  companyId: number,
  endpointId: number,
  { since, before, error, deliveryIds, after }: DeadLetterSelection,
  most: number,
): Prisma.Sql {
  const conditions = [
    Prisma.sql`company_id = ${companyId} AND endpoint_id = ${endpointId} AND ${OPEN_DEAD_LETTER}`,
  ];
  if (since !== undefined) conditions.push(Prisma.sql`created_at >= ${since}::timestamptz`);
  if (before !== undefined) conditions.push(Prisma.sql`created_at < ${before}::timestamptz`);
  if (error !== undefined) {
    // The index has the hash of the error, because an error may be long. Two errors may have the same hash.
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
      LIMIT ${most}`;
}

/**
 * Moves dead letters of an endpoint, oldest first. It locks the endpoint, and dead letters change only under
 * its lock, so their rows need no lock of their own. Locking them in the subquery would make PostgreSQL read and sort all dead
 * letters instead of walking the index up to the limit.
 *
 * @param move common table expressions that change the deliveries of the log with these ids; the last one, `moved`, returns their
 *   `created_at` and `id`.
 * @param most how many at most.
 * @returns what was moved; or why nothing was.
 */
export async function moveDeadLetters(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  selection: DeadLetterSelection,
  move: (ids: Prisma.Sql, isEnabled: boolean) => Prisma.Sql,
  most: number,
): Promise<MovedDeadLetters | 'unknown' | 'endpoint removed'> {
  const state = await lockEndpoint(tx, companyId, endpointId);
  if (state === null) return 'unknown';
  if (state === 'removed') return 'endpoint removed';
  const ids = Prisma.sql`ARRAY(${selectDeadLetters(companyId, endpointId, selection, most)})`;
  const [last] = await tx.$queryRaw<(DeadLetterPosition & { count: number })[]>`
    WITH ${move(ids, state === 'enabled')}
    SELECT created_at AS "createdAt", id, (count(*) OVER ())::int AS count
    FROM moved ORDER BY created_at DESC, id DESC LIMIT 1`;
  if (last === undefined) return { count: 0, last: null };
  const { count, ...position } = last;
  return { count, last: count < most ? null : position };
}

/** Counts dead letters of an endpoint, up to one more than `MAX_COUNTED`; 0 if the endpoint was removed or is unknown. */
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
