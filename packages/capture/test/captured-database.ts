import { emptiedDatabase } from '@deal-signals/test-kit/databases/emptied-database';
import { captureWorkspace } from '@deal-signals/test-kit/worlds/captured';

/** Gives each test of the file a database that contains the default workspace. */
export const capturedDatabase = () => emptiedDatabase(captureWorkspace);
