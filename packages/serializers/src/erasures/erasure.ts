import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { dateTime } from '../date-time.ts';
import { integerId } from '../engagement/event.ts';
import { type FeedPosition, type Listed, pageQuery } from '../feed-page.ts';
import type { JsonOf } from '../object-text.ts';

/** Maximum number of ids in a list of an entry. */
export const MAX_IDS = 1_000;

const ids = (id: z.ZodType<string>, description: string) => z.array(id).max(MAX_IDS).meta({ description });

/** An erasure, as pulled from the feed and pushed with `person.erased` and `room.erased`. */
export const erasure = z
  .object({
    id: z.guid(),
    erasureId: z.guid().meta({
      description:
        'The erasure that this entry belongs to. An erasure of many people or texts has several entries; the last one, which marks the erasure as done, has the same `id`',
    }),
    kind: z.enum(['person', 'room']).meta({ description: 'What was erased' }),
    buyerSpaceId: z.guid().nullable().meta({ description: 'The room that was erased; null for a person' }),
    emailSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({
        description:
          'SHA-256 of the address of the person in lower case, in hexadecimal digits; null for a room, for a person without an address, and for keys with neither of the scopes `read:rooms` and `read:engagement`',
      }),
    personIds: ids(z.guid(), 'Ids of the people who were erased, one for each of their rooms'),
    distributionIds: ids(z.guid(), 'Ids of the share links that were addressed to them'),
    engagementEventIds: ids(
      integerId,
      'Ids of engagement events whose `metadata`, `demoTitle` or `buyerSpaceName` named the person; empty for a room',
    ),
    engagementViewIds: ids(
      integerId,
      'Ids of views whose `demoTitle` or `buyerSpaceName` named the person; empty for a room',
    ),
    engagementBefore: integerId.nullable().meta({
      description:
        'For a room: the actor and all texts of the events and views with a smaller id were erased. Null for a person, and in all entries except the last one',
    }),
    erasedAt: dateTime.meta({ description: 'When it was done; the sort key of `GET /erasures`' }),
  })
  .meta({ id: 'Erasure' });

/** An erasure in the API. */
export type Erasure = z.infer<typeof erasure>;

/** Returns the text of an erasure without the hash of the address. The replaced pattern cannot occur in another field. */
export function withoutEmailHash(text: JsonOf<Erasure>): JsonOf<Erasure> {
  return text.replace(/"emailSha256":"[0-9a-f]{64}"/, '"emailSha256":null') as JsonOf<Erasure>;
}

/** A row of the feed, with the stored text of its object. */
export type ListedErasure = Listed<{ id: string; erasedAt: Date; text: JsonOf<Erasure> }>;

/** Reads erasures of one workspace, in feed order: by `erasedAt`, then id. */
export function findErasures(
  db: Queryable,
  companyId: number,
  { after, limit }: { after?: FeedPosition | undefined; limit: number },
): Promise<ListedErasure[]> {
  const where = [Prisma.sql`company_id = ${companyId}`];
  if (after) where.push(Prisma.sql`(erased_at, id) > (${after.at}, ${after.id}::uuid)`);
  return db.query<ListedErasure>(
    pageQuery({
      columns: {
        id: Prisma.sql`id`,
        erasedAt: Prisma.sql`erased_at`,
        text: Prisma.sql`object_text`,
      },
      from: Prisma.sql`erasures`,
      where,
      order: ['erasedAt', 'id'],
      large: ['text'],
      limit,
    }),
  );
}
