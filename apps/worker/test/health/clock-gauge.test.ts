import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/databases/test-database';
import { COMPANY } from '@deal-signals/test-kit/worlds/ids';
import { addCompany } from '@deal-signals/test-kit/worlds/workspace';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readClockLead } from '../../src/health/scrape.ts';

const OTHER = COMPANY + 1;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the gauge shows the lead of the furthest clock, and ignores clocks that are behind', async () => {
  const { db } = database;
  expect(await readClockLead(db)).toBe(0);
  await addCompany(db, COMPANY);
  await addCompany(db, OTHER);
  expect(await readClockLead(db)).toBe(0);
  await db.$executeRaw`
    UPDATE feed_clocks SET at = clock_timestamp() + interval '1 hour' WHERE company_id = ${OTHER}`;
  const lead = await readClockLead(db);
  // Allows a minute for a busy machine.
  expect(lead).toBeGreaterThan(3_540);
  expect(lead).toBeLessThanOrEqual(3_600);
});
