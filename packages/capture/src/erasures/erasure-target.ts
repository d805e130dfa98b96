import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { emailIdentity } from '@deal-signals/serializers/rooms/identity';
import type { RecordOf } from '../records/record.ts';

/** The person or the room that a record erases. */
export interface ErasureTarget {
  kind: 'person' | 'room';
  /** The room that is erased; null for a person. */
  roomId: string | null;
  /** The identity of the person; null for a room. */
  identity: string | null;
  /** The address of the person in lower case; null for a room, and for a person without an address. */
  email: string | null;
  /** The room of a person without an address; null for a room, and for a person with an address, who may be in many rooms. */
  onlyRoomId: string | null;
}

/** What is to be erased: that of a record. */
export type ErasureRequest =
  | Pick<RecordOf<'erasePerson'>, 'record' | 'email' | 'personId'>
  | Pick<RecordOf<'eraseRoom'>, 'record' | 'roomId'>;

/** Why something cannot be erased: the field of the record that is wrong, and what is. */
export interface TargetError {
  field: 'email' | 'personId' | 'roomId';
  message: string;
}

/**
 * Finds the target that a request names: a room with its people, or one person. A person with an address is the same person in
 * all rooms, whether they are named by their address or by their id in one of the rooms. An address that no person has may still
 * occur in texts.
 */
export async function resolveTarget(
  db: Queryable,
  companyId: number,
  request: ErasureRequest,
): Promise<ErasureTarget | TargetError> {
  if (request.record === 'eraseRoom') {
    const { roomId } = request;
    const [room] = await db.query(
      Prisma.sql`SELECT id FROM rooms WHERE company_id = ${companyId} AND id = ${roomId}::uuid`,
    );
    if (room === undefined) return { field: 'roomId', message: `${roomId} is unknown in this workspace` };
    return { kind: 'room', roomId, identity: null, email: null, onlyRoomId: null };
  }
  const { email, personId } = request;
  if (email !== undefined) return findByAddress(db, companyId, email.toLowerCase());
  const [person] = await db.query<{ roomId: string; identity: string; address: string | null }>(Prisma.sql`
    SELECT room_id AS "roomId", identity, email AS address FROM people
    WHERE company_id = ${companyId} AND id = ${personId}::uuid`);
  if (person === undefined) return { field: 'personId', message: `${personId} is unknown in this workspace` };
  const { roomId: onlyRoomId, identity, address } = person;
  return address === null
    ? { kind: 'person', roomId: null, identity, email: null, onlyRoomId }
    : findByAddress(db, companyId, address);
}

async function findByAddress(
  db: Queryable,
  companyId: number,
  email: string,
): Promise<ErasureTarget | TargetError> {
  const [user] = await db.query<{ id: number }>(
    Prisma.sql`SELECT id FROM users WHERE company_id = ${companyId} AND lower(email) = ${email} LIMIT 1`,
  );
  if (user !== undefined) {
    return {
      field: 'email',
      message: `is the address of user ${user.id}, who is no buyer; capture the user with another name and address`,
    };
  }
  return { kind: 'person', roomId: null, identity: emailIdentity(email), email, onlyRoomId: null };
}
