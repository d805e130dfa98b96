import type { Database } from '@deal-signals/db/database';

/**
 * Recomputes everything that capture derives from the rows of a feed: roll-ups, heat maps, people and search names of all
 * workspaces. A test that writes such rows directly has to call it.
 */
export async function rollUp(db: Database): Promise<void> {
  await db.$executeRaw`SELECT rebuild_room_roll_ups(company_id, array_agg(id)) FROM rooms GROUP BY company_id`;
  await db.$executeRaw`SELECT rebuild_search_names(id) FROM companies`;
}
