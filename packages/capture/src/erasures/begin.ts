import { randomUUID } from 'node:crypto';
import type { FeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { FIRST_PLACE } from './advance.ts';
import { namesInOrder, readOwnNames } from './names.ts';
import type { Whom } from './whom.ts';

/** What `erase_people` returns. */
interface ErasedPeople {
  personIds: string[];
  distributionIds: string[];
  persons: string[];
  names: string[];
}

/**
 * Begins an erasure. Whoever is erased is nobody from this transaction on: their people, share links and roll-ups name them no longer,
 * so whoever is captured with the same address later is somebody else. What was recorded of them before, and what others wrote, is
 * searched by the worker: see `advanceErasure`. So captures never wait for more than this.
 *
 * @returns the id of the erasure, which its last entry in the feed has.
 */
export async function beginErasure(
  { tx, companyId, at, takeIds }: FeedTransaction,
  { kind, roomId, email, people }: Whom,
): Promise<string> {
  const id = randomUUID();
  const rooms = people.map((one) => one.roomId);
  // A room is searched for itself. An address may be all that is known of a person.
  const ownNames = kind === 'person' ? await readOwnNames(tx, companyId, people) : [];
  const [found] = await tx.$queryRaw<[ErasedPeople]>`
    SELECT person_ids AS "personIds", link_ids AS "distributionIds", persons, names
    FROM erase_people(${companyId}, ${id}::uuid, ${at}, ${rooms}::uuid[],
      ${people.map(({ identity }) => identity)}::text[])`;
  const { personIds, distributionIds } = found;
  const names = kind === 'person' ? namesInOrder(ownNames, found.names) : [];
  const persons =
    kind === 'person' ? [...new Set([...found.persons, ...(email === null ? [] : [email])])] : [];
  const [eventEnd, viewEnd] = [takeIds('engagement_events', 0), takeIds('engagement_views', 0)];
  // Consumers are told one id for both.
  const end = eventEnd > viewEnd ? eventEnd : viewEnd;
  await tx.$executeRaw`
    INSERT INTO erasure_runs (company_id, id, kind, room_id, email, names, persons, person_ids, distribution_ids, event_end,
      view_end, requested_at, place)
    VALUES (${companyId}, ${id}::uuid, ${kind}::erasure_kind, ${roomId}::uuid, ${email}, ${names}::text[], ${persons}::text[],
      ${personIds}::uuid[], ${distributionIds}::uuid[], ${kind === 'room' ? end : eventEnd},
      ${kind === 'room' ? end : viewEnd}, ${at}, ${FIRST_PLACE})`;
  // Their metrics show other people now.
  await tx.$executeRaw`
    UPDATE rooms SET last_activity_at = ${at}
    WHERE company_id = ${companyId} AND id = ANY (${[...rooms, ...(roomId === null ? [] : [roomId])]}::uuid[])`;
  return id;
}
