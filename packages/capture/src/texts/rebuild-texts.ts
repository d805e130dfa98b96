import type { Database, Transaction } from '@deal-signals/db/database';
import { inFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { storedCall } from '@deal-signals/serializers/calls/call';
import { serializeEngagementEvent } from '@deal-signals/serializers/engagement/event';
import type { Segment } from '@deal-signals/serializers/engagement/played-ranges';
import { serializeEngagementView } from '@deal-signals/serializers/engagement/view';
import { jsonOf } from '@deal-signals/serializers/object-text';
import { storedRoom } from '@deal-signals/serializers/rooms/room';

/** Rows in a transaction: capture waits for it, and 200 of the largest rows fit into memory. */
const BATCH_SIZE = 200;

/** The text of a row as it is, and as the serialiser builds it now. */
interface RowText {
  id: string;
  stored: string;
  text: string;
}

/** A table whose rows have texts, and how these are built from rows of one workspace. */
export interface TextTable {
  name: string;
  table: Prisma.Sql;
  /** The type of the column `id`. */
  idType: Prisma.Sql;
  build: (db: Transaction, companyId: number, ids: string[]) => Promise<RowText[]>;
}

const INTEGER = Prisma.sql`bigint`;
const UUID = Prisma.sql`uuid`;

/** Every table with texts. */
export const TEXT_TABLES: readonly TextTable[] = [
  {
    name: 'engagement events',
    table: Prisma.sql`engagement_events`,
    idType: INTEGER,
    async build(db, companyId, ids) {
      const rows = await db.engagementEvent.findMany({
        where: { companyId, id: { in: ids.map(BigInt) } },
      });
      return rows.map((row) => rowText(row, jsonOf(serializeEngagementEvent(row))));
    },
  },
  {
    name: 'views',
    table: Prisma.sql`engagement_views`,
    idType: INTEGER,
    async build(db, companyId, ids) {
      const rows = await db.engagementView.findMany({ where: { companyId, id: { in: ids.map(BigInt) } } });
      return rows.map((row) => {
        const segments = row.segments as unknown as Segment[];
        return rowText(row, jsonOf(serializeEngagementView({ ...row, segments })));
      });
    },
  },
  {
    name: 'calls',
    table: Prisma.sql`calls`,
    idType: UUID,
    async build(db, companyId, ids) {
      const rows = await db.call.findMany({ where: { companyId, id: { in: ids } } });
      return rows.map((row) => rowText(row, storedCall(row)));
    },
  },
  {
    name: 'rooms',
    table: Prisma.sql`rooms`,
    idType: UUID,
    async build(db, companyId, ids) {
      const rows = await db.room.findMany({ where: { companyId, id: { in: ids } } });
      return rows.map((row) => rowText(row, storedRoom(row)));
    },
  },
];

function rowText({ id, objectText }: { id: bigint | string; objectText: string }, text: string): RowText {
  return { id: String(id), stored: objectText, text };
}

/** What `rebuildTexts` did with a kind of object. */
export interface Rebuilt {
  name: string;
  /** How many objects it looked at. */
  objects: number;
  /** How many texts it wrote: those that the serialiser builds otherwise now. */
  written: number;
}

/**
 * Builds the texts of all rows again, and writes those that differ: after an update of the product whose objects have a field
 * more. Until then, older rows show the object without it.
 *
 * Safe while the product runs. Every writer of a text holds the feed clock of the workspace, and so does this from reading a
 * row that differs until the text is committed, for 200 rows at a time: a concurrent change waits, and builds
 * the text from what it writes itself. Nothing moves in a feed. It can be stopped and run again at any time.
 *
 * @param onTable called when it is done with a kind of object.
 */
export async function rebuildTexts(
  db: Database,
  onTable: (rebuilt: Rebuilt) => void,
  tables: readonly TextTable[] = TEXT_TABLES,
): Promise<void> {
  const companies = await db.company.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
  for (const textTable of tables) {
    const rebuilt: Rebuilt = { name: textTable.name, objects: 0, written: 0 };
    for (const { id: companyId } of companies) {
      for await (const ids of batches(db, textTable, companyId)) {
        rebuilt.objects += ids.length;
        const differing = differingIn(await textTable.build(db, companyId, ids));
        if (differing.length > 0) rebuilt.written += await rewrite(db, textTable, companyId, differing);
      }
    }
    onTable(rebuilt);
  }
}

/** Walks the ids of a workspace. */
async function* batches(
  db: Database,
  { table, idType }: TextTable,
  companyId: number,
): AsyncGenerator<string[], void> {
  let rows: { id: string }[] = [];
  do {
    const last = rows.at(-1);
    const after = last === undefined ? Prisma.empty : Prisma.sql`AND id > ${last.id}::${idType}`;
    rows = await db.$queryRaw`
      SELECT id::text FROM ${table} WHERE company_id = ${companyId} ${after}
      ORDER BY ${table}.id LIMIT ${BATCH_SIZE}`;
    yield rows.map(({ id }) => id);
  } while (rows.length === BATCH_SIZE);
}

function differingIn(rows: readonly RowText[]): string[] {
  return rows.filter(({ stored, text }) => stored !== text).map(({ id }) => id);
}

/** @returns how many texts it wrote. */
function rewrite(db: Database, textTable: TextTable, companyId: number, ids: string[]): Promise<number> {
  // Read again: what was read before the clock may have changed.
  return inFeedTransaction(db, companyId, ({ tx }) => writeTexts(tx, textTable, companyId, ids));
}

/**
 * Writes the texts of rows as the serialiser builds them from their columns, in a transaction that holds the feed clock.
 * @returns how many it wrote: those that differ.
 */
export async function writeTexts(
  tx: Transaction,
  { table, idType, build }: TextTable,
  companyId: number,
  ids: string[],
): Promise<number> {
  const texts = await build(tx, companyId, ids);
  return tx.$executeRaw`
    UPDATE ${table} SET object_text = n.text
    FROM json_to_recordset(${JSON.stringify(texts)}::json) AS n (id ${idType}, text text)
    WHERE ${table}.company_id = ${companyId} AND ${table}.id = n.id AND ${table}.object_text <> n.text`;
}
