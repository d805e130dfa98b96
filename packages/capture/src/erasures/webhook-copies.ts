import type { Database } from '@deal-signals/db/database';
import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { EventType } from '@deal-signals/outbox/event-types';
import { EVENTS, type ObjectKind } from '@deal-signals/serializers/events/events';
import { type Eraser, erased, type Fields, FIELDS } from './eraser.ts';
import type { ErasureRun, ErasureTools, SearchTarget } from './erasure-run.ts';
import { findBatch, type Batch } from './find-batch.ts';

// The copies that webhooks have made: the bodies of events, and what receivers have responded. They are no feeds, so nothing here needs
// the feed clock.

/** Events that one statement scans: a body can have 512 KiB. */
const EVENTS_BATCH = 250;
/** Deliveries whose attempts one statement scans: a response has 1 KiB at most. */
const DELIVERIES_BATCH = 1_000;

/** Scans the next events of the outbox for bodies that may contain the person. */
export function findBodies(
  db: Database,
  target: SearchTarget,
  { erase, preselection }: ErasureTools,
  after: string | null,
): Promise<Batch> {
  const ofWorkspace = Prisma.sql`company_id = ${target.companyId}`;
  return findBatch<{ rowKey: string; body: string }>(db, {
    table: Prisma.sql`webhook_events`,
    key: Prisma.sql`id`,
    keyType: Prisma.sql`uuid`,
    where: ofWorkspace,
    text: Prisma.sql`body`,
    isConcerned:
      target.kind === 'room'
        ? Prisma.sql`coalesce(buyer_space_id = ${target.roomId}::uuid, false)`
        : Prisma.sql`coalesce(identity = ${target.identity}, false)`,
    preselection,
    read: (keys) =>
      db.query(Prisma.sql`
        SELECT id::text AS "rowKey", body FROM webhook_events
        WHERE ${ofWorkspace} AND id = ANY (${keys}::text[]::uuid[])`),
    isNamedIn: ({ body }) => {
      const data = JSON.parse(dataOf(body)) as object;
      return erased({ data }, { data: 'details' }, erase).data !== data;
    },
    after,
    limit: EVENTS_BATCH,
  });
}

/** Scans the attempts of the next deliveries for responses that may contain the person. */
export function findAttempts(
  db: Queryable,
  run: Pick<ErasureRun, keyof SearchTarget | 'id'>,
  { matcher, preselection }: ErasureTools,
  after: string | null,
): Promise<Batch> {
  // The ranges of a subject do not overlap, so only the last one that begins before a delivery can contain it.
  const isAbout = (kind: string, subject: Prisma.Sql) => Prisma.sql`coalesce((
    SELECT webhook_attempts.delivery_id < s.first_delivery_id + s.deliveries FROM webhook_delivery_subjects s
    WHERE s.company_id = ${run.companyId} AND s.kind = ${kind}::delivery_subject_kind AND s.subject = ${subject}
      AND s.first_delivery_id <= webhook_attempts.delivery_id
    ORDER BY s.first_delivery_id DESC LIMIT 1), false)`;
  return findBatch<{ rowKey: string; responses: string[] }>(db, {
    table: Prisma.sql`webhook_attempts`,
    key: Prisma.sql`delivery_id`,
    keyType: Prisma.sql`bigint`,
    isGrouped: true,
    where: Prisma.sql`company_id = ${run.companyId}`,
    text: Prisma.sql`string_agg(response_excerpt, ' ')`,
    isConcerned:
      run.kind === 'room'
        ? isAbout('room', Prisma.sql`${run.roomId}::uuid`)
        : isAbout('person', Prisma.sql`text_subject(erased_identity(${run.id}::uuid, ${run.identity}))`),
    preselection,
    read: (keys) =>
      db.query(Prisma.sql`
        SELECT delivery_id::text AS "rowKey", array_agg(response_excerpt) AS responses FROM webhook_attempts
        WHERE company_id = ${run.companyId} AND delivery_id = ANY (${keys}::text[]::bigint[]) AND response_excerpt IS NOT NULL
        GROUP BY delivery_id`),
    isNamedIn: ({ responses }) =>
      matcher !== null && responses.some((text) => matcher.replace(text) !== text),
    after,
    limit: DELIVERIES_BATCH,
  });
}

/** Rewrites the bodies of events without the erased person: those of engagement as the feed shows it now. */
export function rewriteBodies(
  db: Pick<Database, 'transaction'>,
  run: ErasureRun,
  tools: ErasureTools,
  ids: readonly string[],
): Promise<void> {
  return db.transaction(async (tx) => {
    const { companyId, id: erasureId } = run;
    const events = await tx.$queryRaw<StoredEvent[]>`
      SELECT id, type, body, identity,
        CASE WHEN ${run.kind} = 'room' OR identity = ${run.identity}
          THEN erased_identity(${erasureId}::uuid, identity) ELSE identity END AS "newIdentity"
      FROM webhook_events WHERE company_id = ${companyId} AND id = ANY (${[...ids]}::uuid[])
      ORDER BY id FOR NO KEY UPDATE`;
    const texts = await engagementTexts(tx, companyId, events);
    const rows = events.map(({ id, type, body, identity, newIdentity }) => {
      const data = dataOf(body);
      const after = texts.get(id) ?? erasedData(type, data, tools.erase);
      const newBody = `${body.slice(0, body.length - data.length - 1)}${after}}`;
      return { id, body: newBody, identity, newIdentity };
    });
    // Deliveries are found by the identity of the person that their event is about, so the subjects of the event follow it. Each row is
    // looked up by its whole key. A resend or a removal of the event locks it too, so none is added or removed in between.
    await tx.$executeRaw`
      WITH n AS MATERIALIZED (
        SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (id uuid, body text, identity text, "newIdentity" text)
      ), written AS (
        UPDATE webhook_events e SET body = n.body, identity = n."newIdentity"
        FROM n WHERE e.company_id = ${companyId} AND e.id = n.id
      )
      UPDATE webhook_delivery_subjects s SET subject = text_subject(own."newIdentity")
      FROM (
        SELECT person.ctid, n."newIdentity" FROM n
        CROSS JOIN LATERAL (
          SELECT first_delivery_id FROM webhook_delivery_subjects
          WHERE company_id = ${companyId} AND kind = 'event' AND subject = n.id OFFSET 0
        ) AS range
        CROSS JOIN LATERAL (
          SELECT p.ctid FROM webhook_delivery_subjects p
          WHERE p.company_id = ${companyId} AND p.kind = 'person' AND p.subject = text_subject(n.identity)
            AND p.first_delivery_id = range.first_delivery_id LIMIT 1
        ) AS person
        WHERE n.identity <> n."newIdentity"
      ) AS own
      WHERE s.ctid = own.ctid`;
  });
}

/** An event of the outbox, and who it is about, before the erasure and after it. */
interface StoredEvent {
  id: string;
  type: EventType;
  body: string;
  identity: string | null;
  newIdentity: string | null;
}

/** Where the object of an envelope begins. What is before it is ours. */
const DATA = ',"data":';

/** The JSON text of the object of an envelope. */
function dataOf(body: string): string {
  return body.slice(body.indexOf(DATA) + DATA.length, -1);
}

/** The texts that the feeds show now of the engagement that events are of, by the ids of the events. */
async function engagementTexts(
  tx: Queryable,
  companyId: number,
  events: readonly { id: string; type: EventType; body: string }[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [kind, table] of [
    ['event', Prisma.sql`engagement_events`],
    ['view', Prisma.sql`engagement_views`],
  ] as const) {
    const ofKind = events.filter(({ type }) => EVENTS[type].object === kind);
    if (ofKind.length === 0) continue;
    const idOf = new Map(
      ofKind.map(({ id, body }) => [(JSON.parse(body) as { data: { id: string } }).data.id, id]),
    );
    const rows = await tx.$queryRaw<{ id: string; text: string }[]>`
      SELECT id::text, object_text AS text FROM ${table}
      WHERE company_id = ${companyId} AND id = ANY (${[...idOf.keys()]}::text[]::bigint[])`;
    for (const { id, text } of rows) texts.set(idOf.get(id)!, text);
  }
  return texts;
}

/** Erases in the object of an event. Returns the same object if it does not change. */
type ErasesData = (data: object, erase: Eraser) => object;

const inFields =
  (fields: Fields): ErasesData =>
  (data, erase) =>
    erased(data, fields, erase);

/** The row that tells who did it is gone, so the name goes too. */
const inEngagement =
  (fields: Fields): ErasesData =>
  (data, erase) => ({ ...erased(data, fields, erase), actor: { name: null, email: null } });

/** Its object names no buyer. */
const namesNobody: ErasesData = (data) => data;

/** What each kind of object says about people. */
const ERASE: Readonly<Record<ObjectKind, ErasesData>> = {
  event: inEngagement(FIELDS.event),
  view: inEngagement(FIELDS.view),
  room: inFields(FIELDS.room),
  esign: inFields(FIELDS.esign),
  call: inFields(FIELDS.call),
  erasure: namesNobody,
};

/** The object of an event, as it was then, without the person or what was written in the room. */
function erasedData(type: EventType, data: string, erase: Eraser): string {
  const { object, objectField } = EVENTS[type];
  if (object === null) return data;
  const before = JSON.parse(data) as Record<string, object>;
  if (objectField === undefined) return JSON.stringify(ERASE[object](before, erase));
  return JSON.stringify({ ...before, [objectField]: ERASE[object](before[objectField]!, erase) });
}

/** Removes the responses of receivers to deliveries that may have contained the erased person. */
export async function rewriteAttempts(
  db: Database,
  { companyId }: ErasureRun,
  _tools: ErasureTools,
  deliveryIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_attempts SET response_excerpt = NULL
    WHERE company_id = ${companyId} AND delivery_id = ANY (${[...deliveryIds]}::text[]::bigint[])
      AND response_excerpt IS NOT NULL`;
}
