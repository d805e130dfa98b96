import type { Database } from '@deal-signals/db/database';
import { captureBatches } from '../transaction/capture-batch.ts';
import { writeCompany } from '../writers/company.ts';
import type { CaptureOptions } from './capture-options.ts';
import { createDryRun } from './dry-run.ts';
import type { Store } from './store.ts';

/** Opens the store for streams with the same options: the database, or a dry run of it for one stream. */
export function openStore(
  db: Database,
  { onError = 'stop', dryRun = false, noWebhooks = false }: CaptureOptions = {},
): Store {
  const options = { onError, noWebhooks };
  if (dryRun) return createDryRun(db, options);
  return {
    onError,
    writeCompany: (entry) => writeCompany(db, entry),
    writeBatches: (companyId, batches) => captureBatches(db, companyId, batches, options),
  };
}
