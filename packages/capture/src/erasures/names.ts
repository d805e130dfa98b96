import type { Queryable } from '@deal-signals/db/queryable';
import { isSearchable, MAX_NAMES_CHARACTERS } from './matching/matcher.ts';

/** An erasure stores more names than are searched for, so that it can tell that there are too many. */
const MAX_STORED_CHARACTERS = 2 * MAX_NAMES_CHARACTERS;

/**
 * Reads the names that people have in their own rows, before these are erased. Names in share links are left out, because anybody who
 * forwards a link can choose them.
 */
export async function readOwnNames(
  tx: Queryable,
  companyId: number,
  people: readonly { roomId: string; identity: string }[],
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    WITH erased AS (
      SELECT room, identity
      FROM unnest(${people.map(({ roomId }) => roomId)}::uuid[], ${people.map(({ identity }) => identity)}::text[])
        AS e (room, identity)
    )
    SELECT m.name FROM erased e
    JOIN room_members m ON m.company_id = ${companyId} AND m.room_id = e.room AND m.identity = e.identity
    WHERE m.name IS NOT NULL
    UNION
    SELECT p.name FROM erased e
    JOIN people p ON p.company_id = ${companyId} AND p.room_id = e.room AND p.identity = e.identity
    WHERE p.name IS NOT NULL`;
  return rows.map(({ name }) => name);
}

/** The limit of all names that are looked at: it bounds the time that this takes. */
const MAX_READ_CHARACTERS = 1_000_000;

/**
 * Puts names into the order in which they are searched for, without those that are not: a person's own names first, then the shortest,
 * because few names are long. Names that are far too many are left out.
 */
export function namesInOrder(own: readonly string[], others: readonly string[]): string[] {
  const kept: string[] = [];
  let read = 0;
  let stored = 0;
  for (const name of new Set([...shortestFirst(own), ...shortestFirst(others)])) {
    if (stored > MAX_STORED_CHARACTERS || read > MAX_READ_CHARACTERS) break;
    read += name.length;
    if (!isSearchable(name)) continue;
    stored += name.length;
    kept.push(name);
  }
  return kept;
}

function shortestFirst(names: readonly string[]): string[] {
  return names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** Adds names to those of an erasure under way. */
export async function addNames(
  tx: Queryable,
  companyId: number,
  erasureId: string,
  names: readonly string[],
): Promise<void> {
  const added = namesInOrder([], names);
  if (added.length === 0) return;
  await tx.$executeRaw`
    UPDATE erasure_runs SET names = names || ARRAY(
      SELECT n.name FROM unnest(${added}::text[]) WITH ORDINALITY AS n (name, place)
      WHERE n.name <> ALL (names) ORDER BY n.place)
    WHERE company_id = ${companyId} AND id = ${erasureId}::uuid
      AND length(array_to_string(names, '')) <= ${MAX_STORED_CHARACTERS}`;
}
