import { Prisma } from '@deal-signals/db/generated/client';
import { dateTime } from '@deal-signals/serializers/date-time';
import { type Erasure, erasure } from '@deal-signals/serializers/erasures/erasure';
import { z } from 'zod';
import { dataOperation } from '../http/route.ts';
import { erasureExample } from '../openapi/examples/erasure.ts';

/** How many erasures are shown of each kind. */
const MOST_SHOWN = 50;

const running = z
  .object({
    id: z.uuid(),
    kind: erasure.shape.kind,
    buyerSpaceId: z.uuid().nullable(),
    people: z.int(),
    requestedAt: dateTime,
  })
  .meta({ id: 'RunningErasure' });

interface RunningRow extends Omit<z.infer<typeof running>, 'requestedAt'> {
  requestedAt: Date;
}

/** `GET /erasures` of the console: the erasures under way, and the newest that are done. */
export const listLatestErasures = dataOperation({
  operationId: 'listLatestErasures',
  tag: 'Console',
  summary: 'List the latest erasures',
  description: `Returns the erasures under way and the newest entries of the feed of erasures, ${MOST_SHOWN} at most of both.`,
  response: z.object({ running: z.array(running), done: z.array(erasure) }),
  example: {
    running: [
      {
        id: '5b8d1f0c-3a55-4d6f-8f0f-2c9f7f1e6a11',
        kind: 'person',
        buyerSpaceId: null,
        people: 2,
        requestedAt: '2026-09-12T08:01:00.000Z',
      },
    ],
    done: [erasureExample],
  },
  async handler({ companyId }, { db }) {
    const rows = await db.query<RunningRow>(Prisma.sql`
      SELECT id, kind::text, room_id AS "buyerSpaceId", cardinality(person_ids) AS people, requested_at AS "requestedAt"
      FROM erasure_runs WHERE company_id = ${companyId} ORDER BY requested_at DESC, id LIMIT ${MOST_SHOWN}`);
    const entries = await db.query<{ text: string }>(Prisma.sql`
      SELECT object_text AS text FROM erasures WHERE company_id = ${companyId}
      ORDER BY erased_at DESC, id DESC LIMIT ${MOST_SHOWN}`);
    return {
      running: rows.map((row) => ({ ...row, requestedAt: row.requestedAt.toISOString() })),
      done: entries.map(({ text }) => JSON.parse(text) as Erasure),
    };
  },
});
