import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime, dateTimeOrNull } from '../date-time.ts';
import type { Listed } from '../feed-page.ts';
import { findUpdatedRows, type UpdatedFilter, type UpdatedRow, type UpdatedTable } from '../updated-rows.ts';

/** A stakeholder of a room, without their activity. The room metrics list the same people as `stakeholders`. */
export const person = z
  .object({
    id: z.guid().meta({
      description: 'Id of this person in this room. A person who is in several rooms has an id in each',
    }),
    buyerSpaceId: z.guid(),
    email: z
      .string()
      .nullable()
      .meta({ description: 'In lower case; identifies the person within the room' }),
    name: z.string().nullable(),
    role: z.string().nullable(),
    title: z.string().nullable(),
    inCommittee: z.boolean().meta({ description: "Listed in the room's People section" }),
    removedAt: dateTime.nullable().meta({
      description:
        'When the person stopped being a stakeholder, because every share link to them was addressed to another person before they did anything; null for stakeholders',
    }),
    updatedAt: dateTime.meta({
      description: 'Time of the last change to these fields; the sort key of `GET /people`',
    }),
  })
  .meta({ id: 'Person' });

/** A stakeholder in the API. */
export type Person = z.infer<typeof person>;

/** The columns a person object is built from. */
export interface PersonRow extends UpdatedRow {
  email: string | null;
  name: string | null;
  role: string | null;
  title: string | null;
  inCommittee: boolean;
  removedAt: Date | null;
}

const TABLE: UpdatedTable = {
  table: Prisma.sql`people`,
  idType: Prisma.sql`uuid`,
  columns: {
    email: Prisma.sql`email`,
    name: Prisma.sql`name`,
    role: Prisma.sql`role`,
    title: Prisma.sql`title`,
    inCommittee: Prisma.sql`in_committee`,
    removedAt: Prisma.sql`removed_at`,
  },
  texts: ['email', 'name', 'role', 'title'],
};

/** Reads stakeholders of the rooms of one workspace, in feed order: by `updatedAt`, then id. */
export function findPeople(
  db: Queryable,
  companyId: number,
  filter: UpdatedFilter,
): Promise<Listed<PersonRow>[]> {
  return findUpdatedRows<PersonRow>(db, companyId, TABLE, filter);
}

/** Builds the API object of a stakeholder. */
export function serializePerson(row: PersonRow): Person {
  return {
    id: row.id,
    buyerSpaceId: row.roomId,
    email: row.email,
    name: row.name,
    role: row.role,
    title: row.title,
    inCommittee: row.inCommittee,
    removedAt: dateTimeOrNull(row.removedAt),
    updatedAt: row.updatedAt.toISOString(),
  };
}
