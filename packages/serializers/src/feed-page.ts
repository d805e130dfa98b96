import { Prisma } from '@deal-signals/db/generated/client';

/** A position in a feed that is sorted by time and, among equal times, by id. */
export interface FeedPosition {
  at: Date;
  id: string;
}

/** The LIMIT clause of a list; empty without a limit. */
export function limitTo(limit: number | undefined): Prisma.Sql {
  return limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit}`;
}
