import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { demoRecords } from './dataset.ts';
import { WORKSPACES } from './workspaces.ts';

/** Determines all ids and texts of the demo, so that they are the same on every machine. */
export const DEMO_SEED = 'deal signals';

/**
 * Captures the demo's data once. If the data is already there, it changes nothing.
 *
 * The data ends at the time of the first run, which is kept as the creation time of the first workspace. If that run is
 * interrupted, the next one therefore completes it with the same records, not with a second set of dates.
 *
 * @param onWritten called after each commit with the number of records in it.
 * @returns the demo workspaces.
 * @throws Error if a workspace with the id of a demo workspace exists under another name.
 */
export async function seedDemo(
  db: Database,
  onWritten?: (count: number) => void,
): Promise<{ id: number; name: string }[]> {
  await refuseOtherWorkspaces(db);
  await captureRecords(
    db,
    WORKSPACES.map(({ id, name }) => captureRecord.parse({ record: 'company', id, name })),
  );

  const [first] = WORKSPACES;
  const { createdAt } = await db.company.findUniqueOrThrow({ where: { id: first.id } });
  const records = Array.from(demoRecords({ seed: DEMO_SEED, now: createdAt }), (record) =>
    captureRecord.parse(record),
  );
  // The newest event is written last: if it is stored, everything is.
  const newest = records.findLast((record) => record.record === 'event');
  if (newest === undefined) throw new Error('the demo has no engagement events');
  const { companyId, key } = newest;
  const stored = await db.engagementEvent.findFirst({ where: { companyId, source: 'event', key } });
  if (stored === null) {
    await captureRecords(
      db,
      records.filter((record) => record !== newest),
      onWritten,
    );
    await captureRecords(db, [newest], onWritten);
  }
  return WORKSPACES.map(({ id, name }) => ({ id, name }));
}

async function refuseOtherWorkspaces(db: Database): Promise<void> {
  for (const { id, name } of WORKSPACES) {
    const stored = await db.company.findUnique({ where: { id } });
    if (stored !== null && stored.name !== name) {
      throw new Error(`workspace ${id} exists as "${stored.name}", but the demo needs this id for "${name}"`);
    }
  }
}
