import type { Database } from '@deal-signals/db/database';
import { EXPIRED, HOLD_HOURS } from './hold-records.ts';

/** A record that was held and refused. */
export interface RefusedRecord {
  companyId: number;
  kind: string;
  key: string;
  problem: string;
}

/** What a workspace holds. */
export interface HeldCount {
  companyId: number;
  /** How many records wait for their share link. */
  waiting: number;
  /** How many were refused while they waited. They count towards the limit until they are discarded. */
  refused: number;
}

// A record that has waited too long is refused, whether or not a capture has noticed that yet.

/** Counts the held records of each workspace that has some. */
export function countHeldRecords(db: Database): Promise<HeldCount[]> {
  return db.$queryRaw<HeldCount[]>`
    SELECT company_id AS "companyId", (count(*) FILTER (WHERE waits))::int AS waiting,
           (count(*) FILTER (WHERE NOT waits))::int AS refused
    FROM (
      SELECT company_id, problem IS NULL AND held_at >= now() - make_interval(hours => ${HOLD_HOURS}) AS waits
      FROM held_records
    ) AS held
    GROUP BY company_id ORDER BY company_id`;
}

/** Lists the refused records of all workspaces, with the reasons, in the order in which they were held. */
export function listRefusedRecords(db: Database, limit: number): Promise<RefusedRecord[]> {
  return db.$queryRaw<RefusedRecord[]>`
    SELECT company_id AS "companyId", kind, key, coalesce(problem, ${EXPIRED}) AS problem FROM held_records
    WHERE problem IS NOT NULL OR held_at < now() - make_interval(hours => ${HOLD_HOURS})
    ORDER BY company_id, held_records.id LIMIT ${limit}`;
}

/** Deletes the refused records of all workspaces, and returns how many there were. */
export function discardRefusedRecords(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM held_records
    WHERE problem IS NOT NULL OR held_at < now() - make_interval(hours => ${HOLD_HOURS})`;
}
