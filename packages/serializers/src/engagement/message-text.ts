import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';

/**
 * Returns the texts that prospects wrote, by the id of the engagement event of the message. Events that are not messages, and
 * messages without a text, are left out.
 *
 * @param eventIds ids of engagement events of the workspace.
 */
export async function findMessageTexts(
  db: Queryable,
  companyId: number,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.query<{ id: string; text: string }>(Prisma.sql`
    SELECT event.id::text AS id, message.text
    FROM engagement_events AS event JOIN messages AS message USING (company_id, key)
    WHERE event.company_id = ${companyId} AND event.id = ANY (${[...eventIds]}::bigint[]) AND event.source = 'message'
      AND message.text IS NOT NULL`);
  return new Map(rows.map(({ id, text }) => [id, text]));
}
