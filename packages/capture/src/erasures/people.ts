import type { Queryable } from '@deal-signals/db/queryable';
import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { Prisma } from '@deal-signals/db/generated/client';
import { emailIdentity } from '@deal-signals/serializers/rooms/identity';
import { namesInOrder, readOwnNames } from './names.ts';
import type { ErasureTarget } from './erasure-target.ts';

/**
 * Maximum number of people that one transaction erases while captures of the workspace wait: about a tenth of a second. Most people
 * and rooms need no second transaction.
 */
export const MAX_PEOPLE = 200;

/** A person of a room. */
interface Person {
  roomId: string;
  identity: string;
}

/** What is erased, of an erasure in its workspace. */
interface NumberedTarget extends ErasureTarget {
  /** The id of the erasure. */
  id: string;
}

/** The people that a transaction has erased, and what was known of them. */
export interface ErasedPeople {
  personIds: string[];
  distributionIds: string[];
  /** The names of a person, in the order in which they are searched for. A room is searched for itself. */
  names: string[];
  /** Where to go on; null when all people are erased. */
  after: string | null;
}

/** Where the search for people begins. */
export const FROM_START = '';

/** The condition of rows of `people` that identify a person. A share link without a name does not. */
const IS_NAMED = Prisma.sql`(email IS NOT NULL OR name IS NOT NULL OR role IS NOT NULL OR title IS NOT NULL)`;

/** The same of rows of `room_people`: the feed does not show the person that a share link was addressed to by mistake. */
const IS_NAMED_IN_ROLL_UPS = Prisma.sql`(starts_with(identity, ${emailIdentity('')}) OR name IS NOT NULL)`;

/**
 * Erases the next people of an erasure: from this transaction on, their rows, share links and roll-ups do not show who they were, and
 * a person who is captured with the same address is another one.
 *
 * Several transactions may be needed, with captures between them. All people are erased when the last one commits. People who are captured
 * after that commit do not belong to the erasure.
 *
 * @param after `FROM_START`, or what the last transaction has returned.
 */
export async function eraseNextPeople(
  { tx, companyId, at }: AnyFeedTransaction,
  target: NumberedTarget,
  after: string,
): Promise<ErasedPeople> {
  const people = await findNextPeople(tx, companyId, target, after);
  const isPerson = target.kind === 'person';
  const ownNames = isPerson ? await readOwnNames(tx, companyId, people) : [];
  const [erased] = await tx.$queryRaw<[Omit<ErasedPeople, 'after'>]>`
    SELECT person_ids AS "personIds", link_ids AS "distributionIds", names
    FROM erase_people(${companyId}, ${target.id}::uuid, ${at}, ${people.map(({ roomId }) => roomId)}::uuid[],
      ${people.map(({ identity }) => identity)}::text[])`;
  // The metrics of the rooms show other people now.
  const rooms = new Set(people.map(({ roomId }) => roomId));
  if (target.roomId !== null) rooms.add(target.roomId);
  await tx.$executeRaw`
    UPDATE rooms SET last_activity_at = ${at} WHERE company_id = ${companyId} AND id = ANY (${[...rooms]}::uuid[])`;
  const names = isPerson ? namesInOrder(ownNames, erased.names) : [];
  return { ...erased, names, after: nextStart(target, people, after) };
}

/** The ids from which on events and views are of other people, if all people of an erasure are erased by this transaction. */
export function endOf(
  { takeIds }: AnyFeedTransaction,
  kind: ErasureTarget['kind'],
): { event: bigint; view: bigint } {
  const [event, view] = [takeIds('engagement_events', 0), takeIds('engagement_views', 0)];
  if (kind === 'person') return { event, view };
  // Consumers are told one id for both.
  const end = event > view ? event : view;
  return { event: end, view: end };
}

/** What follows from a batch that begins at `after`. Rows may have been added behind it, so the last search begins at the start. */
function nextStart({ roomId }: NumberedTarget, people: readonly Person[], after: string): string | null {
  const isFull = people.length === MAX_PEOPLE;
  if (roomId !== null && isFull) return people.at(-1)!.identity;
  return isFull || after !== FROM_START ? FROM_START : null;
}

function findNextPeople(
  db: Queryable,
  companyId: number,
  target: ErasureTarget,
  after: string,
): Promise<Person[]> | Person[] {
  const { identity, onlyRoomId } = target;
  if (identity !== null && onlyRoomId !== null) return [{ roomId: onlyRoomId, identity }];
  // The first search also finds those who are only in the roll-ups.
  if (after === FROM_START)
    return db.query<Person>(Prisma.sql`
      (SELECT room_id AS "roomId", identity FROM people
       WHERE company_id = ${companyId} AND ${isOf(target)} AND ${IS_NAMED} ORDER BY identity LIMIT ${MAX_PEOPLE}::int)
      UNION
      (SELECT room_id, identity FROM room_people
       WHERE company_id = ${companyId} AND ${isOf(target)} AND ${IS_NAMED_IN_ROLL_UPS} LIMIT ${MAX_PEOPLE}::int)
      ORDER BY 2, 1 LIMIT ${MAX_PEOPLE}::int`);
  return db.query<Person>(Prisma.sql`
    SELECT room_id AS "roomId", identity FROM people
    WHERE company_id = ${companyId} AND ${isOf(target)} AND identity > ${after} AND ${IS_NAMED}
    ORDER BY identity LIMIT ${MAX_PEOPLE}::int`);
}

/** The condition of rows of the people of a room, or of a person who may be in many rooms. */
function isOf({ roomId, identity }: ErasureTarget): Prisma.Sql {
  return roomId === null ? Prisma.sql`identity = ${identity}` : Prisma.sql`room_id = ${roomId}::uuid`;
}

/** What is known of those who would be erased. */
export interface PeopleTraces {
  /** The number of share links that are addressed to them. */
  distributions: number;
  names: string[];
}

/** Reads what is known of those whom an erasure would erase. A room is searched for itself, so its people have no names here. */
export async function readTraces(
  db: Queryable,
  companyId: number,
  target: ErasureTarget,
): Promise<PeopleTraces> {
  const { roomId, identity, onlyRoomId } = target;
  if (roomId !== null) {
    const [counted] = await db.query<{ distributions: number }>(Prisma.sql`
      SELECT count(*)::int AS distributions FROM distributions
      WHERE company_id = ${companyId} AND room_id = ${roomId}::uuid
        AND (recipient_name IS NOT NULL OR recipient_email IS NOT NULL)`);
    return { ...counted!, names: [] };
  }
  const inRoom = onlyRoomId === null ? Prisma.empty : Prisma.sql`AND room_id = ${onlyRoomId}::uuid`;
  const [traces] = await db.query<PeopleTraces>(Prisma.sql`
    WITH rooms_of AS MATERIALIZED (
      SELECT room_id FROM people WHERE company_id = ${companyId} AND identity = ${identity} ${inRoom}
      UNION
      SELECT room_id FROM room_people WHERE company_id = ${companyId} AND identity = ${identity} ${inRoom}
    )
    SELECT cardinality(link_ids) AS distributions, names
    FROM traces_of_people(${companyId}, ARRAY(SELECT room_id FROM rooms_of),
      ARRAY(SELECT ${identity}::text FROM rooms_of))`);
  return traces!;
}

/** Counts the people that an erasure would erase, one for each of their rooms. */
export async function countPeople(db: Queryable, companyId: number, target: ErasureTarget): Promise<number> {
  if (target.onlyRoomId !== null) return 1;
  const [counted] = await db.query<{ people: number }>(Prisma.sql`
    SELECT count(*)::int AS people FROM people WHERE company_id = ${companyId} AND ${isOf(target)} AND ${IS_NAMED}`);
  return counted!.people;
}
