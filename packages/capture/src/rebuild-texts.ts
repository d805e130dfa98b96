import type { Database, Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { CALL_VERSION, storedCall } from '@deal-signals/serializers/calls/call';
import { ENGAGEMENT_EVENT_VERSION, storedEngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { ENGAGEMENT_VIEW_VERSION, storedEngagementView } from '@deal-signals/serializers/engagement/view';
import { ROOM_VERSION, storedRoom } from '@deal-signals/serializers/rooms/room';

/** Rows in a transaction. Writers that want one of them wait for it, and 200 of the largest rows fit into memory. */
const BATCH_SIZE = 200;

/** A table whose rows have texts, and how these are built from rows of one workspace. */
interface Texts {
  name: string;
  table: Prisma.Sql;
  key: Prisma.Sql;
  version: number;
  build: (tx: Transaction, companyId: number, ids: string[]) => Promise<{ id: string; text: string }[]>;
}

const INTEGER = Prisma.sql`bigint`;
const UUID = Prisma.sql`uuid`;

const TEXTS: Texts[] = [
  {
    name: 'engagement events',
    table: Prisma.sql`engagement_events`,
    key: INTEGER,
    version: ENGAGEMENT_EVENT_VERSION,
    async build(tx, companyId, ids) {
      const rows = await tx.engagementEvent.findMany({
        where: { companyId, id: { in: ids.map(BigInt) } },
      });
      return rows.map((row) => ({ id: String(row.id), text: storedEngagementEvent(row) }));
    },
  },
  {
    name: 'views',
    table: Prisma.sql`engagement_views`,
    key: INTEGER,
    version: ENGAGEMENT_VIEW_VERSION,
    async build(tx, companyId, ids) {
      const rows = await tx.engagementView.findMany({ where: { companyId, id: { in: ids.map(BigInt) } } });
      return rows.map((row) => {
        const segments = row.segments as unknown as Segment[];
        return { id: String(row.id), text: storedEngagementView({ ...row, segments }) };
      });
    },
  },
  {
    name: 'calls',
    table: Prisma.sql`calls`,
    key: UUID,
    version: CALL_VERSION,
    async build(tx, companyId, ids) {
      const rows = await tx.call.findMany({ where: { companyId, id: { in: ids } } });
      return rows.map((row) => ({ id: row.id, text: storedCall(row) }));
    },
  },
  {
    name: 'rooms',
    table: Prisma.sql`rooms`,
    key: UUID,
    version: ROOM_VERSION,
    async build(tx, companyId, ids) {
      const rows = await tx.room.findMany({ where: { companyId, id: { in: ids } } });
      return rows.map((row) => ({ id: row.id, text: storedRoom(row) }));
    },
  },
];

/** What `rebuildTexts` did with a kind of object. */
export interface Rebuilt {
  name: string;
  /** How many texts were built. */
  built: number;
  /** How many rows were skipped because a writer had locked them. */
  skipped: number;
}

/**
 * Builds the texts of all rows that have none by this version of the builders, such as those from before an update of the
 * product. Until then they are built whenever they are read, so the responses do not depend on it.
 *
 * Safe while the product runs: it takes no feed clock, moves nothing in a feed, never waits for a row, and locks 200 rows at
 * a time. It can be stopped and run again at any time, and then skips what is done.
 *
 * @param onTable called when it is done with a kind of object.
 */
export async function rebuildTexts(db: Database, onTable: (rebuilt: Rebuilt) => void): Promise<void> {
  const companies = await db.company.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
  for (const texts of TEXTS) {
    const rebuilt: Rebuilt = { name: texts.name, built: 0, skipped: 0 };
    for (const { id: companyId } of companies) {
      for await (const ids of outdated(db, texts, companyId)) {
        const built = await rebuildRows(db, texts, companyId, ids);
        rebuilt.built += built;
        rebuilt.skipped += ids.length - built;
      }
    }
    onTable(rebuilt);
  }
}

/** Walks the rows of a workspace by id; yields the ids of those whose text has to be built. */
async function* outdated(
  db: Database,
  { table, key, version }: Texts,
  companyId: number,
): AsyncGenerator<string[], void> {
  let rows: { id: string; isCurrent: boolean }[] = [];
  do {
    const last = rows.at(-1);
    const after = last === undefined ? Prisma.empty : Prisma.sql`AND id > ${last.id}::${key}`;
    rows = await db.$queryRaw`
      SELECT id::text, object_version IS NOT DISTINCT FROM ${version} AS "isCurrent" FROM ${table}
      WHERE company_id = ${companyId} ${after}
      ORDER BY ${table}.id LIMIT ${BATCH_SIZE}`;
    const ids = rows.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
    if (ids.length > 0) yield ids;
  } while (rows.length === BATCH_SIZE);
}

/** @returns how many texts it built. */
function rebuildRows(
  db: Database,
  { table, key, version, build }: Texts,
  companyId: number,
  ids: string[],
): Promise<number> {
  return db.$transaction(async (tx) => {
    // The lock keeps the columns as they are until the text is stored. Not waiting for it rules out deadlocks with writers,
    // which lock rows in any order.
    const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM ${table}
      WHERE company_id = ${companyId} AND id = ANY (${ids}::${key}[])
      FOR NO KEY UPDATE SKIP LOCKED`;
    const texts = await build(
      tx,
      companyId,
      locked.map(({ id }) => id),
    );
    return tx.$executeRaw`
      UPDATE ${table} SET object_text = n.text, object_version = ${version}
      FROM json_to_recordset(${JSON.stringify(texts)}::json) AS n (id ${key}, text text)
      WHERE ${table}.company_id = ${companyId} AND ${table}.id = n.id`;
  });
}
