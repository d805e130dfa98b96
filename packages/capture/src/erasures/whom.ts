import type { Queryable } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { shownEmail } from '@deal-signals/serializers/shown-email';
import type { RecordOf } from '../record.ts';

/** Whom or what a record erases. */
export interface Whom {
  kind: 'person' | 'room';
  roomId: string | null;
  /** In lower case. */
  email: string | null;
  people: { roomId: string; identity: string }[];
}

/** What is to be erased: that of a record. */
export type ErasureRequest =
  | Pick<RecordOf<'erasePerson'>, 'record' | 'email' | 'personId'>
  | Pick<RecordOf<'eraseRoom'>, 'record' | 'roomId'>;

/**
 * Finds the people that an erasure is about: those of a room, or one person. Somebody with an address is the same person in
 * all rooms, whether they are named by their address or by their id in one of the rooms.
 *
 * @returns null if there is no such room or person. An address that nobody has may still stand in texts.
 */
export async function findWhom(
  db: Queryable,
  companyId: number,
  request: ErasureRequest,
): Promise<Whom | null> {
  const find = (condition: Prisma.Sql) =>
    db.query<Whom['people'][number]>(Prisma.sql`
      SELECT room_id AS "roomId", identity FROM people WHERE company_id = ${companyId} AND ${condition}
      ORDER BY room_id, identity`);
  // Whoever a share link was addressed to by mistake is nobody in the feed, but stands in the roll-ups.
  const findAny = (condition: Prisma.Sql, active: Prisma.Sql) =>
    db.query<Whom['people'][number]>(Prisma.sql`
      SELECT room_id AS "roomId", identity FROM people WHERE company_id = ${companyId} AND ${condition}
      UNION
      SELECT room_id, active_identity(email, person) FROM room_people WHERE company_id = ${companyId} AND ${active}
      ORDER BY 1, 2`);
  if (request.record === 'eraseRoom') {
    const { roomId } = request;
    const [room] = await db.query(
      Prisma.sql`SELECT id FROM rooms WHERE company_id = ${companyId} AND id = ${roomId}::uuid`,
    );
    if (room === undefined) return null;
    const ofRoom = Prisma.sql`room_id = ${roomId}::uuid`;
    return { kind: 'room', roomId, email: null, people: await findAny(ofRoom, ofRoom) };
  }
  let email = request.email?.toLowerCase();
  if (email === undefined) {
    const people = await find(Prisma.sql`id = ${request.personId}::uuid`);
    const [person] = people;
    if (person === undefined) return null;
    const [scheme, address = ''] = person.identity.split(/:(.*)/s);
    if (scheme !== 'email' || shownEmail(address) === null) {
      return { kind: 'person', roomId: null, email: null, people };
    }
    email = address;
  }
  return {
    kind: 'person',
    roomId: null,
    email,
    people: await findAny(Prisma.sql`identity = ${`email:${email}`}`, Prisma.sql`person = ${email}`),
  };
}

/** Says why something cannot be erased; null if it can. */
export async function whyNot(
  db: Queryable,
  companyId: number,
  request: ErasureRequest,
  whom: Whom | null,
): Promise<{ field: string; message: string } | null> {
  if (whom === null) {
    return request.record === 'eraseRoom'
      ? { field: 'roomId', message: `${request.roomId} is unknown in this workspace` }
      : { field: 'personId', message: `${request.personId} is nobody in this workspace` };
  }
  if (whom.email === null) return null;
  const [user] = await db.query<{ id: number }>(
    Prisma.sql`SELECT id FROM users WHERE company_id = ${companyId} AND lower(email) = ${whom.email} LIMIT 1`,
  );
  if (user === undefined) return null;
  return {
    field: 'email',
    message: `is the address of user ${user.id}, who is no buyer; capture the user with another name and address`,
  };
}
