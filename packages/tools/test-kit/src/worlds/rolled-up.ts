import type { Database } from '@deal-signals/db/database';

/**
 * Computes everything that capture keeps beside the rows of a feed again, as a program that writes such rows itself has to: roll-ups,
 * heat-maps, people and search names of all workspaces.
 */
export async function rollUp(db: Database): Promise<void> {
  await db.$executeRaw`SELECT rebuild_room_roll_ups(company_id, array_agg(id)) FROM rooms GROUP BY company_id`;
  await db.$executeRaw`SELECT rebuild_search_names(id) FROM companies`;
}
