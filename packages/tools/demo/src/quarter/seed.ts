import { captureRecords } from '@deal-signals/capture/stream/capture-records';
import { type CaptureInput, captureRecord } from '@deal-signals/capture/records/record';
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
  const parsed = (records: Iterable<CaptureInput>) =>
    Array.from(records, (record) => captureRecord.parse(record));
  for (const { id, name } of WORKSPACES) {
    const stored = await db.company.findUnique({ where: { id } });
    if (stored !== null && stored.name !== name)
      throw new Error(`workspace ${id} exists as "${stored.name}", but the demo needs this id for "${name}"`);
  }
  const companies = WORKSPACES.map(({ id, name }) => ({ id, name }));
  await captureRecords(db, parsed(companies.map((company) => ({ record: 'company', ...company }))));

  const { createdAt } = await db.company.findUniqueOrThrow({ where: { id: WORKSPACES[0].id } });
  const records = parsed(demoRecords({ seed: DEMO_SEED, now: createdAt }));
  // The newest event is written last: if it is stored, everything is.
  const newest = records.findLast((record) => record.record === 'event')!;
  const { companyId, key } = newest;
  const stored = await db.engagementEvent.findFirst({ where: { companyId, source: 'event', key } });
  if (stored === null) {
    const others = records.filter((record) => record !== newest);
    await captureRecords(db, others, onWritten);
    await captureRecords(db, [newest], onWritten);
  }
  return companies;
}
