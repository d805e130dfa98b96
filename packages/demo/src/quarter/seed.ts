import { captureRecords } from '@deal-signals/capture/capture-records';
import { captureRecord } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { demoRecords } from './dataset.ts';
import { WORKSPACES } from './workspaces.ts';

/** All ids and texts of the demo follow from this, so that they are the same on every machine. */
export const DEMO_SEED = 'deal signals';

/**
 * Captures the demo's data, once: later calls find it there and change nothing. The data ends at the moment of the first
 * call, which the first workspace's row keeps; so a seeding that was cut short is completed by the next call with the
 * very same records, instead of a second set of dates.
 *
 * @param onWritten called after every commit with the number of records it held.
 * @returns the workspaces of the demo.
 * @throws Error when a workspace of somebody else has the number of one of the demo's.
 */
export async function seedDemo(
  db: Database,
  onWritten?: (count: number) => void,
): Promise<{ id: number; name: string }[]> {
  await refuseStrangers(db);
  await captureRecords(
    db,
    WORKSPACES.map(({ id, name }) => captureRecord.parse({ record: 'company', id, name })),
  );

  const [first] = WORKSPACES;
  const { createdAt } = await db.company.findUniqueOrThrow({ where: { id: first.id } });
  const records = Array.from(demoRecords({ seed: DEMO_SEED, now: createdAt }), (record) =>
    captureRecord.parse(record),
  );
  // The newest event is written after everything else: where it is stored, nothing is missing.
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

async function refuseStrangers(db: Database): Promise<void> {
  for (const { id, name } of WORKSPACES) {
    const stored = await db.company.findUnique({ where: { id } });
    if (stored !== null && stored.name !== name) {
      throw new Error(`workspace ${id} is "${stored.name}", not the demo's "${name}": it is left alone`);
    }
  }
}
