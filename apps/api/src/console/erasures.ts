import { Prisma } from '@deal-signals/db/generated/client';
import { dateTime } from '@deal-signals/serializers/date-time';
import { erasure } from '@deal-signals/serializers/erasures/erasure';
import { z } from 'zod';
import { erasureExample } from '@deal-signals/serializers/examples/erasure';
import { dataOperation } from '../http/route.ts';

/** Maximum number of erasures that are listed. */
const MAX_SHOWN = 100;

const shownErasure = z
  .object({
    id: z.guid(),
    kind: erasure.shape.kind,
    buyerSpaceId: z.guid().nullable(),
    people: z.int().meta({ description: 'Number of people, counted once per room' }),
    isDone: z.boolean(),
    at: dateTime.meta({ description: 'When the erasure was done; until then, when it was requested' }),
  })
  .meta({ id: 'ShownErasure' });

interface ErasureRow extends Omit<z.infer<typeof shownErasure>, 'at'> {
  at: Date;
}

/** `GET /erasures` of the console: the erasures in progress, and the newest that are done. */
export const listLatestErasures = dataOperation({
  operationId: 'listLatestErasures',
  tag: 'Console',
  summary: 'List the latest erasures',
  description: `Returns the erasures in progress, then those that are done, newest first, at most ${MAX_SHOWN}.`,
  response: z.object({ data: z.array(shownErasure) }),
  example: {
    data: [
      {
        id: erasureExample.id,
        kind: 'person',
        buyerSpaceId: null,
        people: 1,
        isDone: true,
        at: erasureExample.erasedAt,
      },
    ],
  },
  async handler({ companyId }, { db }) {
    // If an erasure has several entries, the last one has its id.
    const rows = await db.query<ErasureRow>(Prisma.sql`
      (SELECT id, kind::text, room_id AS "buyerSpaceId", people, false AS "isDone", requested_at AS at
       FROM erasure_runs WHERE company_id = ${companyId})
      UNION ALL
      (SELECT e.id, o.kind, o."buyerSpaceId", e.people, true, e.erased_at
       FROM erasures e
       CROSS JOIN LATERAL json_to_record(e.object_text::json)
         AS o ("erasureId" uuid, kind text, "buyerSpaceId" uuid)
       WHERE e.company_id = ${companyId} AND o."erasureId" = e.id
       ORDER BY e.erased_at DESC, e.id DESC LIMIT ${MAX_SHOWN}::int)
      ORDER BY "isDone", at DESC LIMIT ${MAX_SHOWN}::int`);
    return { data: rows.map((row) => ({ ...row, at: row.at.toISOString() })) };
  },
});
