import type { Database } from '@deal-signals/db/database';
import { firstIdAt } from '@deal-signals/db/feeds/position';
import { Prisma } from '@deal-signals/db/generated/client';
import { CALL, LINK, ROOM } from '@deal-signals/test-kit/worlds/captured';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { rollUp } from '@deal-signals/test-kit/worlds/rolled-up';
import { sqlText } from '@deal-signals/test-kit/worlds/texts';

const EVENTS = 200_000;
const VIEWS = 100_000;
/** The number of people in the events and views of the room. */
const PEOPLE = 2_000;

/** Fills the room of the default workspace with events and views. */
export async function addBigRoom(db: Database): Promise<void> {
  const email = Prisma.raw(`'p' || n % ${PEOPLE} || '@globex.example'`);
  await db.$executeRaw`
    INSERT INTO engagement_events
      (company_id, id, source, key, type, occurred_at, identity, actor_email, metadata, demo_id, distribution_id, buyer_space_id,
       object_text)
    SELECT ${COMPANY}, n, 'event', 'big ' || n, (ARRAY['room_visit', 'trailer_view', 'trailer_complete', 'comment'])[1 + n % 4],
           timestamptz '2026-09-01' + n * interval '1 second', 'email:' || email, email, '{}',
           ${CALL}::uuid, ${LINK}::uuid, ${ROOM}::uuid, ${Prisma.raw(sqlText('event', 'n'))}
    FROM generate_series(1, ${EVENTS}::int) n CROSS JOIN LATERAL (SELECT ${email}) AS actor (email)`;
  await db.$executeRaw`
    INSERT INTO engagement_views
      (company_id, id, key, kind, started_at, ended_at, watch_seconds, segments, identity, actor_email, demo_id, distribution_id,
       buyer_space_id, object_text)
    SELECT ${COMPANY}, n, 'big ' || n, 'trailer', timestamptz '2026-09-01' + n * interval '1 second',
           timestamptz '2026-09-01' + (n + 30) * interval '1 second', 30,
           jsonb_build_array(jsonb_build_array(n % 500, n % 500 + 30)), 'email:' || email, email,
           ${CALL}::uuid, ${LINK}::uuid, ${ROOM}::uuid, ${Prisma.raw(sqlText('view', 'n'))}
    FROM generate_series(1, ${VIEWS}::int) n CROSS JOIN LATERAL (SELECT ${email}) AS actor (email)`;
  await rollUp(db);
  await db.$executeRaw`ANALYZE`;
}

/** Adds deliveries of one new event each to an endpoint: due ones, or dead letters. */
export async function addManyDeliveries(
  db: Database,
  { companyId, endpointId }: { companyId: number; endpointId: number },
  count: number,
  state: 'due' | 'dead',
): Promise<void> {
  const [table, columns, values] =
    state === 'due'
      ? [Prisma.sql`pending_deliveries`, Prisma.sql`next_attempt_at`, Prisma.sql`now()`]
      : [
          Prisma.sql`webhook_deliveries`,
          Prisma.sql`status, attempts`,
          Prisma.sql`'dead'::delivery_status, 8`,
        ];
  await db.$executeRaw`
    WITH event AS (
      INSERT INTO webhook_events (company_id, id, type, created_at, body)
      SELECT ${companyId}::int, gen_random_uuid(), 'engagement.recorded', now(), '{"old":true}'
      FROM generate_series(1, ${count}::int)
      RETURNING id
    )
    INSERT INTO ${table} (company_id, id, endpoint_id, event_id, event_type, created_at, ${columns})
    SELECT ${companyId}::int, ${firstIdAt(new Date())}::bigint + row_number() OVER (), ${endpointId}::int, id,
           'engagement.recorded', now(), ${values}
    FROM event`;
}
