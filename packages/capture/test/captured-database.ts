import { createTestDatabase, type TestDatabase } from '@deal-signals/test-kit/test-database';
import { captureWorkspace } from '@deal-signals/test-kit/worlds/captured';
import { afterEach, beforeEach } from '@jest/globals';

/** Gives each test of the file a database of its own, in which the default workspace is captured. */
export function capturedDatabase(): Pick<TestDatabase, 'db' | 'url'> {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    await captureWorkspace(database.db);
  });
  afterEach(() => database.drop());
  return {
    get db() {
      return database.db;
    },
    get url() {
      return database.url;
    },
  };
}
