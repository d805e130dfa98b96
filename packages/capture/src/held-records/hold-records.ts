import type { CaptureTransaction } from '../transaction/capture-transaction.ts';
import type { EntryOf } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import type { Problems } from '../records/problems.ts';

/**
 * Maximum number of held records of a workspace, including those that were refused meanwhile. As many as a batch has, so
 * releasing all of them at once does not make a transaction much longer.
 */
export const HELD_RECORDS_LIMIT = 1_000;

/** How long a record waits for its share link before it is refused, in hours. */
export const HOLD_HOURS = 24;

const HOUR_MS = 3_600_000;

/** A record that can wait for its share link. */
export type HeldEntry = EntryOf<'event' | 'view' | 'message'>;

/** When a record that still waits in a transaction must have been held at the earliest. */
export function earliestHeldAt({ at }: CaptureTransaction): Date {
  return new Date(at.getTime() - HOLD_HOURS * HOUR_MS);
}

/** Why a record is refused that has waited too long. */
export const EXPIRED = `its share link was not captured within ${HOLD_HOURS} hours`;

/**
 * Stores records until their share links are captured. A record that waits already stays as it is; one that was refused
 * is replaced. Refuses records of the workspace that have waited too long.
 *
 * @param problems gets the records that are too many; they are not stored.
 */
export async function holdRecords(
  capture: CaptureTransaction,
  problems: Problems,
  entries: readonly HeldEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { tx, companyId, at } = capture;
  const expired = await tx.$queryRaw<{ kind: string; key: string }[]>`
    UPDATE held_records SET problem = ${EXPIRED}
    WHERE company_id = ${companyId} AND problem IS NULL AND held_at < ${earliestHeldAt(capture)}
    RETURNING kind, key`;
  for (const { kind, key } of expired) capture.refusedHeld.push({ kind, key, problem: EXPIRED });

  const rows = entries.map(({ record }) => ({
    kind: record.record,
    key: record.key,
    distributionId: record.distributionId,
    record: JSON.stringify(record),
  }));
  const [before] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM held_records WHERE company_id = ${companyId}`;
  const stored = await tx.$queryRaw<{ kind: string; key: string; isNew: boolean }[]>`
    INSERT INTO held_records AS h (company_id, kind, key, distribution_id, record, held_at)
    SELECT ${companyId}, kind, key, "distributionId", record, ${at}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (kind text, key text, "distributionId" uuid, record text)
    ON CONFLICT (company_id, kind, key) DO UPDATE SET
      id = EXCLUDED.id, distribution_id = EXCLUDED.distribution_id, record = EXCLUDED.record, held_at = EXCLUDED.held_at,
      problem = NULL
    WHERE h.problem IS NOT NULL
    RETURNING kind, key, xmax = 0 AS "isNew"`;
  const entryOf = new Map(entries.map((entry) => [identityOf(entry.record), entry]));
  let held = before.count;
  const excess: { kind: string; key: string }[] = [];
  for (const { kind, key, isNew } of stored) {
    const identity = `${kind} ${key}`;
    if (isNew && held >= HELD_RECORDS_LIMIT) {
      excess.push({ kind, key });
      problems.add(
        entryOf.get(identity)!,
        'distributionId',
        `is unknown in this workspace, which has ${HELD_RECORDS_LIMIT} held records already`,
      );
      continue;
    }
    capture.held.add(identity);
    if (isNew) held += 1;
  }
  if (excess.length === 0) return;
  await tx.$executeRaw`
    DELETE FROM held_records h USING json_to_recordset(${JSON.stringify(excess)}::json) AS n (kind text, key text)
    WHERE h.company_id = ${companyId} AND h.kind = n.kind AND h.key = n.key`;
}
