import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { type FeedPosition, type Listed, pageQuery } from './feed-page.ts';

/** A table whose rows are a feed in the order of their last change, and whose objects contain no data of other rows. */
export interface UpdatedTable {
  table: Prisma.Sql;
  /** The type of the column `id`. */
  idType: Prisma.Sql;
  /** The columns of the objects except `id`, `room_id` and `updated_at`, by their names in a row. */
  columns: Readonly<Record<string, Prisma.Sql>>;
  /** The text columns among them. */
  texts: readonly string[];
}

/** The columns of every row of such a table. */
export interface UpdatedRow {
  id: string;
  roomId: string;
  /** Feed clock reading of the last write that changed the object; the sort key. */
  updatedAt: Date;
}

/** Selects rows to read. An omitted field does not filter. */
export interface UpdatedFilter {
  id?: string;
  /** Only rows after this position of the feed. */
  after?: FeedPosition;
  roomId?: string | undefined;
  /** Further conditions on the columns of the table. */
  conditions?: readonly Prisma.Sql[];
  /** Reverses the order of the feed. */
  isNewestFirst?: boolean;
  /** Maximum number of rows. */
  limit: number;
}

/** Reads rows of one workspace, by `updatedAt`, then id: up to `limit`, or fewer if they are large. */
export function findUpdatedRows<Row extends UpdatedRow>(
  db: Queryable,
  companyId: number,
  { table, idType, columns, texts }: UpdatedTable,
  { id, after, roomId, conditions = [], isNewestFirst, limit }: UpdatedFilter,
): Promise<Listed<Row>[]> {
  const all = [Prisma.sql`company_id = ${companyId}`, ...conditions];
  if (id !== undefined) all.push(Prisma.sql`id = ${id}::${idType}`);
  if (after) all.push(Prisma.sql`(updated_at, id) > (${after.at}, ${after.id}::${idType})`);
  if (roomId !== undefined) all.push(Prisma.sql`room_id = ${roomId}::uuid`);
  const query = pageQuery({
    columns: {
      id: Prisma.sql`id`,
      roomId: Prisma.sql`room_id`,
      ...columns,
      updatedAt: Prisma.sql`updated_at`,
    },
    from: table,
    where: all,
    order: ['updatedAt', 'id'],
    isNewestFirst,
    large: texts,
    limit,
  });
  return db.query<Listed<Row>>(query);
}
