import type { Database } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { type Erasure, erasure } from '@deal-signals/serializers/erasures/erasure';
import { z } from 'zod';
import { beginErasure } from './begin.ts';
import { ERASED } from './matching/matcher.ts';
import { type ErasureRequest, resolveTarget } from './erasure-target.ts';

/** An entry of the feed of erasures, with its workspace: a line of the file that an operator keeps. */
const keptErasure = erasure.extend({ companyId: z.int() });

/** How many rows are read at once. */
const PAGE = 500;

/** Reads the entries of all workspaces, as lines of JSON. They contain no names. */
export async function* keptErasures(db: Database): AsyncGenerator<string, void> {
  let last: { companyId: number; id: string } = { companyId: 0, id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await db.query<{ companyId: number; id: string; text: string }>(Prisma.sql`
      SELECT company_id AS "companyId", id, object_text AS text FROM erasures
      WHERE (company_id, id) > (${last.companyId}, ${last.id}::uuid) ORDER BY company_id, id LIMIT ${PAGE}::int`);
    for (const { companyId, text } of rows) {
      yield JSON.stringify({ companyId, ...(JSON.parse(text) as Erasure) });
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1)!;
  }
}

/**
 * Erases once more what a restored database has of people and rooms that were erased after its backup. A person who is captured again after
 * an erasure has another id, so they stay; so does what is erased already.
 *
 * @param line a line of `keptErasures`.
 * @returns how many people and rooms are erased again; the worker does the rest, as for every erasure.
 * @throws ZodError, SyntaxError if it is no such line.
 */
export async function repeatErasure(db: Database, line: string): Promise<number> {
  const { companyId, buyerSpaceId, personIds } = keptErasure.parse(JSON.parse(line));
  if (buyerSpaceId !== null) {
    const isLeft = await isNamed(db, companyId, personIds, buyerSpaceId);
    return isLeft ? eraseAgain(db, companyId, { record: 'eraseRoom', roomId: buyerSpaceId }) : 0;
  }
  let erased = 0;
  for (const personId of personIds) {
    // A person in several rooms is erased in all of them with the first.
    if (!(await isNamed(db, companyId, [personId]))) continue;
    erased += await eraseAgain(db, companyId, { record: 'erasePerson', email: undefined, personId });
  }
  return erased;
}

/** Begins an erasure, without the limit of a workspace, unless the same one is under way. Returns how many were begun. */
function eraseAgain(db: Database, companyId: number, request: ErasureRequest): Promise<number> {
  return inFeedTransaction(db, companyId, async (feed) => {
    const target = await resolveTarget(feed.tx, companyId, request);
    if ('message' in target) throw new Error(`${target.field}: ${target.message}`);
    const [open] = await feed.tx.$queryRaw<unknown[]>`
      SELECT id FROM erasure_runs
      WHERE company_id = ${companyId} AND (room_id = ${target.roomId}::uuid OR email = ${target.email}) LIMIT 1`;
    if (open !== undefined) return 0;
    await beginErasure(feed, target);
    return 1;
  });
}

/** Whether one of these people, or a room, still says who they are. */
async function isNamed(
  db: Database,
  companyId: number,
  personIds: readonly string[],
  roomId?: string,
): Promise<boolean> {
  const found = await db.query(Prisma.sql`
    SELECT id FROM people WHERE company_id = ${companyId} AND id = ANY (${[...personIds]}::uuid[])
      AND (name IS NOT NULL OR email IS NOT NULL)
    UNION ALL
    SELECT id FROM rooms WHERE company_id = ${companyId} AND id = ${roomId ?? null}::uuid AND name <> ${ERASED}`);
  return found.length > 0;
}
