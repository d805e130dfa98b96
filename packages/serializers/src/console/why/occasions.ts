import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import type { EventType } from '@deal-signals/outbox/event-types';
import type { WhyHappened } from './schema.ts';

/** An occurrence that caused an event, or may have caused one. */
export interface Occasion {
  eventType: string;
  at: Date;
  /** The meaning of the time: that of the event, of the occurrence, or of the last change of the object. */
  timeIs: 'recorded' | 'occurred' | 'changed';
  /** Whether it caused an event, provided that events were written at all. */
  isCertain: boolean;
  source: WhyHappened['sources'][number];
  /** Distinguishes it from others of its type. Its event, if one was written, has the same key. */
  key: string;
}

/** The occurrences in a period. */
export interface Occasions {
  occasions: Occasion[];
  /** The event types for which the list may be incomplete. */
  inexactTypes: Set<string>;
}

/** A room or a call, and the period to examine. */
export interface Subject {
  kind: 'room' | 'call';
  id: string;
  since: Date;
  until: Date;
}

/** Maximum number of rows of each table that are examined, newest first. */
export const MAX_ROWS = 1_000;
const MAX_CALLS = 200;

interface Moment {
  key: string;
  at: Date;
}

/** Finds the rows of a room or a call that indicate that events were caused. */
type Finder = (
  db: Queryable,
  companyId: number,
  subject: Subject,
  inexactTypes: Set<string>,
) => Promise<Occasion[]>;

/** The function that finds the causes of events of each type in the tables; null if only the event itself has a record of it. */
const FINDERS: Readonly<Record<EventType, Finder | null>> = {
  'engagement.recorded': findEngagement,
  'engagement.view.recorded': findEngagement,
  'call.recorded': findCallOccasions,
  'call.summary.created': findCallOccasions,
  'decision_room.esign.updated': findContractOccasions,
  'decision_room.created': findRoomOccasions,
  'decision_room.updated': findRoomOccasions,
  'person.erased': null,
  'room.erased': null,
  'webhook.endpoint.disabled': null,
  'integration.ping': null,
};

/** The event types whose causes are in the tables. */
export const TRACED_TYPES = Object.entries(FINDERS).flatMap(([type, find]) => (find === null ? [] : [type]));

/** Finds the occurrences of a room or a call of one workspace, from its rows in the tables of the feeds. */
export async function findOccasions(db: Queryable, companyId: number, subject: Subject): Promise<Occasions> {
  const found: Occasions = { occasions: [], inexactTypes: new Set() };
  for (const find of new Set(Object.values(FINDERS))) {
    if (find !== null) found.occasions.push(...(await find(db, companyId, subject, found.inexactTypes)));
  }
  return found;
}

/** Every row of these tables caused an event when it was captured. */
const ENGAGEMENT = [
  {
    table: Prisma.sql`engagement_events`,
    moment: Prisma.sql`occurred_at`,
    eventType: 'engagement.recorded',
    source: 'engagement_events',
  },
  {
    table: Prisma.sql`engagement_views`,
    moment: Prisma.sql`ended_at`,
    eventType: 'engagement.view.recorded',
    source: 'engagement_views',
  },
] as const;

async function findEngagement(
  db: Queryable,
  companyId: number,
  subject: Subject,
  inexactTypes: Set<string>,
): Promise<Occasion[]> {
  const occasions: Occasion[] = [];
  for (const { table, moment, eventType, source } of ENGAGEMENT) {
    const column = subject.kind === 'room' ? Prisma.sql`buyer_space_id` : Prisma.sql`demo_id`;
    const rows = await db.query<Moment>(Prisma.sql`
      SELECT id::text AS key, ${moment} AS at FROM ${table}
      WHERE company_id = ${companyId} AND ${column} = ${subject.id}::uuid
      ORDER BY ${table}.id DESC LIMIT ${MAX_ROWS}`);
    const within = rows.filter(({ at }) => isWithin(at, subject));
    occasions.push(
      ...within.map((row): Occasion => ({ ...row, eventType, source, timeIs: 'occurred', isCertain: true })),
    );
    const oldest = rows.at(-1);
    if (oldest !== undefined && rows.length === MAX_ROWS && oldest.at >= subject.since) {
      inexactTypes.add(eventType);
    }
  }
  return occasions;
}

/** A call was recorded after it took place and before its last change, and so was its summary. */
async function findCallOccasions(
  db: Queryable,
  companyId: number,
  subject: Subject,
  inexactTypes: Set<string>,
): Promise<Occasion[]> {
  const own =
    subject.kind === 'call'
      ? Prisma.sql`id = ${subject.id}::uuid`
      : Prisma.sql`room_id = ${subject.id}::uuid AND updated_at >= ${subject.since}`;
  const calls = await db.query<{
    key: string;
    occurredAt: Date;
    updatedAt: Date;
    hasSummary: boolean;
  }>(Prisma.sql`
    SELECT id::text AS key, occurred_at AS "occurredAt", updated_at AS "updatedAt", summary IS NOT NULL AS "hasSummary"
    FROM calls WHERE company_id = ${companyId} AND ${own}
    ORDER BY updated_at DESC, id DESC LIMIT ${MAX_CALLS}`);
  if (calls.length === MAX_CALLS) inexactTypes.add('call.recorded').add('call.summary.created');
  return calls.flatMap(({ key, occurredAt, updatedAt, hasSummary }): Occasion[] => {
    const didOccur = isWithin(occurredAt, subject);
    const didChange = isWithin(updatedAt, subject);
    const source = 'calls';
    return [
      ...(didOccur
        ? [
            {
              eventType: 'call.recorded',
              at: occurredAt,
              timeIs: 'occurred' as const,
              isCertain: didChange,
              source,
              key,
            } as const,
          ]
        : []),
      ...(hasSummary && didChange
        ? [
            {
              eventType: 'call.summary.created',
              at: updatedAt,
              timeIs: 'changed' as const,
              isCertain: didOccur,
              source,
              key,
            } as const,
          ]
        : []),
    ];
  });
}

async function findRoomOccasions(db: Queryable, companyId: number, subject: Subject): Promise<Occasion[]> {
  if (subject.kind !== 'room') return [];
  const [room] = await db.query<{ createdAt: Date; lastActivityAt: Date }>(Prisma.sql`
    SELECT created_at AS "createdAt", last_activity_at AS "lastActivityAt" FROM rooms
    WHERE company_id = ${companyId} AND id = ${subject.id}::uuid`);
  if (room === undefined) return [];
  const { createdAt, lastActivityAt } = room;
  const didChange = isWithin(lastActivityAt, subject);
  const source = 'rooms';
  if (isWithin(createdAt, subject)) {
    const eventType = 'decision_room.created';
    return [{ eventType, at: createdAt, timeIs: 'occurred', isCertain: didChange, source, key: subject.id }];
  }
  if (!didChange) return [];
  const key = lastActivityAt.toISOString();
  const eventType = 'decision_room.updated';
  return [{ eventType, at: lastActivityAt, timeIs: 'changed', isCertain: false, source, key }];
}

async function findContractOccasions(
  db: Queryable,
  companyId: number,
  subject: Subject,
): Promise<Occasion[]> {
  if (subject.kind !== 'room') return [];
  const contracts = await db.query<Moment>(Prisma.sql`
    SELECT id AS key, updated_at AS at FROM esign_documents
    WHERE company_id = ${companyId} AND room_id = ${subject.id}::uuid
      AND updated_at >= ${subject.since} AND updated_at < ${subject.until}
    ORDER BY updated_at DESC, id DESC LIMIT ${MAX_ROWS}`);
  return contracts.map(({ at }): Occasion => ({
    eventType: 'decision_room.esign.updated',
    at,
    timeIs: 'changed',
    isCertain: false,
    source: 'esign_documents',
    // The row and its event have the same time, that of their transaction.
    key: at.toISOString(),
  }));
}

function isWithin(at: Date, { since, until }: Subject): boolean {
  return at >= since && at < until;
}
