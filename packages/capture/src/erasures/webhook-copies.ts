import type { Database, Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import type { EventType } from '@deal-signals/outbox/event-types';
import { erased, FIELDS } from './eraser.ts';
import { type ErasureRun, findPart, type Means, type Part, type Target } from './erasure-run.ts';

// The copies that webhooks have made: the bodies of events, and what receivers have responded. They are no feeds, so nothing here needs
// the feed clock.

/** How many events or deliveries one statement looks through: a body can have 512 KiB. */
const MOST_LOOKED_AT = 1_000;

/** Looks through the next events of the outbox for those whose body may show who is erased. */
export async function findBodies(
  db: Database,
  target: Target,
  { search }: Means,
  after: string | null,
): Promise<Part> {
  return findPart(db, {
    table: Prisma.sql`webhook_events`,
    key: Prisma.sql`id`,
    keyType: Prisma.sql`uuid`,
    where: Prisma.sql`company_id = ${target.companyId}`,
    after,
    most: MOST_LOOKED_AT,
    condition:
      target.kind === 'room'
        ? Prisma.sql`coalesce(buyer_space_id = ${target.roomId}::uuid, false)`
        : anyOf([
            Prisma.sql`coalesce(person = ANY (${[...target.persons]}::text[]), false)`,
            ...linksOf(target).map((id) => Prisma.sql`position(${`"distributionId":"${id}"`} IN body) > 0`),
            ...(search === null ? [] : [Prisma.sql`body ~ ${search.pattern}`]),
          ]),
  });
}

/** Looks through the next deliveries for those whose attempts may show who is erased in what the receiver has responded. */
export async function findAttempts(
  db: Database,
  run: ErasureRun,
  { search }: Means,
  after: string | null,
): Promise<Part> {
  const isAbout = (kind: string, subject: Prisma.Sql) => Prisma.sql`EXISTS (
    SELECT FROM webhook_delivery_subjects s
    WHERE s.company_id = webhook_deliveries.company_id AND s.kind = ${kind}::delivery_subject_kind AND s.subject = ${subject}
      AND s.delivery_id = webhook_deliveries.id)`;
  return findPart(db, {
    table: Prisma.sql`webhook_deliveries`,
    key: Prisma.sql`id`,
    keyType: Prisma.sql`bigint`,
    where: Prisma.sql`company_id = ${run.companyId}`,
    after,
    most: MOST_LOOKED_AT,
    condition:
      run.kind === 'room'
        ? isAbout('room', Prisma.sql`${run.roomId}::uuid`)
        : anyOf([
            ...run.persons.map((person) =>
              isAbout('person', Prisma.sql`person_subject(erased_email(${run.id}::uuid, ${person}))`),
            ),
            ...(search === null
              ? []
              : [
                  Prisma.sql`EXISTS (
                    SELECT FROM webhook_attempts a
                    WHERE a.company_id = webhook_deliveries.company_id AND a.delivery_id = webhook_deliveries.id
                      AND a.response_excerpt ~ ${search.pattern})`,
                ]),
          ]),
  });
}

/** Writes the bodies of events without whoever is erased: those of engagement as the feed shows it now. */
export function rewriteBodies(
  db: Database,
  run: ErasureRun,
  means: Means,
  ids: readonly string[],
): Promise<void> {
  return db.transaction(async (tx) => {
    const { companyId, id: erasureId } = run;
    const events = await tx.$queryRaw<{ id: string; type: EventType; body: string }[]>`
      SELECT id, type, body FROM webhook_events WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::uuid[])
      ORDER BY id FOR NO KEY UPDATE`;
    const texts = await engagementTexts(tx, companyId, events);
    const rows = events.map(({ id, type, body }) => {
      const start = body.indexOf(DATA) + DATA.length;
      const data = body.slice(start, -1);
      const after = texts.get(id) ?? erasedData(type, data, means);
      return { id, body: `${body.slice(0, start)}${after}}` };
    });
    // What they are about is found by the address of the person, so it follows the address.
    await tx.$executeRaw`
      WITH written AS (
        UPDATE webhook_events e SET body = n.body,
          person = CASE WHEN ${run.kind} = 'room' OR e.person = ANY (${[...run.persons]}::text[])
            THEN erased_email(${erasureId}::uuid, e.person) ELSE e.person END
        FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (id uuid, body text)
        WHERE e.company_id = ${companyId} AND e.id = n.id
        RETURNING e.id, e.person
      ), about AS (
        SELECT d.id, written.person FROM written
        JOIN webhook_deliveries d ON d.company_id = ${companyId} AND d.event_id = written.id
        WHERE written.person IS NOT NULL
      )
      UPDATE webhook_delivery_subjects s SET subject = person_subject(about.person) FROM about
      WHERE s.company_id = ${companyId} AND s.kind = 'person' AND s.delivery_id = about.id
        AND s.subject <> person_subject(about.person)`;
  });
}

/** Where the object of an envelope begins. What is before it is ours. */
const DATA = ',"data":';

/** The texts that the feeds show now of the engagement that events are of, by the ids of the events. */
async function engagementTexts(
  tx: Transaction,
  companyId: number,
  events: readonly { id: string; type: EventType; body: string }[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [type, table] of [
    ['engagement.recorded', Prisma.sql`engagement_events`],
    ['engagement.view.recorded', Prisma.sql`engagement_views`],
  ] as const) {
    const ofType = events.filter((event) => event.type === type);
    if (ofType.length === 0) continue;
    const idOf = new Map(
      ofType.map(({ id, body }) => [(JSON.parse(body) as { data: { id: string } }).data.id, id]),
    );
    const rows = await tx.$queryRaw<{ id: string; text: string }[]>`
      SELECT id::text, object_text AS text FROM ${table}
      WHERE company_id = ${companyId} AND id = ANY (${[...idOf.keys()]}::text[]::bigint[])`;
    for (const { id, text } of rows) texts.set(idOf.get(id)!, text);
  }
  return texts;
}

/** The object of an event that can change, as it was then, without whoever is erased. */
function erasedData(type: EventType, data: string, { erase }: Means): string {
  switch (type) {
    case 'decision_room.created':
    case 'decision_room.updated':
      return JSON.stringify(erased(JSON.parse(data) as object, FIELDS.room, erase));
    case 'call.recorded':
    case 'call.summary.created':
      return JSON.stringify(erased(JSON.parse(data) as object, FIELDS.call, erase));
    case 'decision_room.esign.updated': {
      const object = JSON.parse(data) as { document: object };
      return JSON.stringify({ ...object, document: erased(object.document, FIELDS.esign, erase) });
    }
    default:
      return data;
  }
}

/** Removes what receivers have responded to deliveries that may have shown them whoever is erased. */
export async function rewriteAttempts(
  db: Database,
  { companyId }: ErasureRun,
  deliveryIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_attempts SET response_excerpt = NULL
    WHERE company_id = ${companyId} AND delivery_id = ANY (${[...deliveryIds]}::text[]::bigint[])
      AND response_excerpt IS NOT NULL`;
}

/** The share links of somebody who has no address. */
function linksOf({ persons }: Target): string[] {
  return persons.filter((person) => !person.includes('@'));
}

function anyOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.sql`false` : Prisma.sql`(${Prisma.join([...conditions], ' OR ')})`;
}
