import { randomUUID } from 'node:crypto';
import type { AnyFeedTransaction } from '@deal-signals/db/feeds/feed-clock';
import { AFTER_PEOPLE, PEOPLE } from './advance.ts';
import { endOf, eraseNextPeople, FROM_START } from './people.ts';
import type { ErasureTarget } from './erasure-target.ts';

/** Maximum number of erasures of a workspace that are under way. */
export const MAX_OPEN_ERASURES = 10;

/**
 * Returns whether the workspace may begin one more erasure. The transaction holds the feed clock, so two processes that ask at the same
 * time never exceed the limit.
 */
export async function mayBeginErasure({ tx, companyId }: AnyFeedTransaction): Promise<boolean> {
  const [open] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM erasure_runs WHERE company_id = ${companyId}`;
  return open.count < MAX_OPEN_ERASURES;
}

/**
 * Begins an erasure. A person, and the people of most rooms, are erased by this transaction: see `eraseNextPeople`. For a large room,
 * or a person in many rooms, the worker erases the other people in the next transactions. It also searches for what was recorded of
 * them before and what others wrote: see `advanceErasure`. So captures never wait for more than `MAX_PEOPLE` people.
 *
 * @returns the id of the erasure, which its last entry in the feed has.
 */
export async function beginErasure(feed: AnyFeedTransaction, target: ErasureTarget): Promise<string> {
  const { tx, companyId, at } = feed;
  const { kind, roomId, identity, email } = target;
  const id = randomUUID();
  const erased = await eraseNextPeople(feed, { ...target, id }, FROM_START);
  const { personIds, distributionIds, names, after } = erased;
  const end = endOf(feed, kind);
  await tx.$executeRaw`
    INSERT INTO erasure_runs (company_id, id, kind, room_id, identity, email, names, person_ids, distribution_ids, people, event_end,
      view_end, requested_at, stage, after)
    VALUES (${companyId}, ${id}::uuid, ${kind}::erasure_kind, ${roomId}::uuid, ${identity}, ${email}, ${names}::text[],
      ${personIds}::uuid[], ${distributionIds}::uuid[], ${personIds.length}::int, ${end.event}, ${end.view}, ${at},
      ${after === null ? AFTER_PEOPLE : PEOPLE}, ${after})`;
  await tx.$executeRaw`
    INSERT INTO erasure_turns (company_id, due_at) VALUES (${companyId}, clock_timestamp()) ON CONFLICT (company_id) DO NOTHING`;
  return id;
}
