import type { Database, Queryable } from '@deal-signals/db/database';
import { type BatchOptions, captureBatches } from '../transaction/capture-batch.ts';
import type { Entry } from '../records/entry.ts';
import { identityOf } from '../records/identity.ts';
import type { CaptureRecord } from '../records/record.ts';
import type { Store } from './store.ts';
import { changedCompany, findCompany, type StoredCompany } from '../writers/company.ts';

/** The fields that refer to other records, and the kind of those. */
const REFERENCES: Readonly<Record<string, CaptureRecord['record']>> = {
  ownerId: 'user',
  sourceCallId: 'call',
  roomId: 'room',
  callId: 'call',
  distributionId: 'distribution',
  forwardedFromDistributionId: 'distribution',
  docId: 'document',
};

/** About 100 MB. A file with more rooms, calls and links than this can be checked in parts. */
const MAX_REMEMBERED = 100_000;
/** They are all written again for each batch that needs the row, so many records of one row would take the square of their number. */
const MAX_REMEMBERED_OF_ROW = 1_000;

/** The stream has more records that others can refer to than a dry run remembers. */
export class DryRunTooLargeError extends Error {}

/**
 * Creates a store that writes each batch in a transaction and rolls it back, so that every check of a capture is made.
 *
 * A record may refer to one of an earlier batch, which is not stored by then. So the records that have an id are
 * remembered, and those that a batch refers to, directly or not, are written again in front of it.
 */
export function createDryRun(db: Database, options: BatchOptions & Pick<Store, 'onError'>): Store {
  const companies = new Map<number, StoredCompany>();
  /** By workspace and identity: the records of each row, in order. */
  const remembered = new Map<string, Entry[]>();
  let count = 0;

  const keyOf = (companyId: number, identity: string) => `${companyId} ${identity}`;

  function remember(companyId: number, entries: Entry[]): void {
    for (const entry of entries) {
      if (!('id' in entry.record)) continue;
      count += 1;
      const identity = identityOf(entry.record);
      const key = keyOf(companyId, identity);
      const ofRow = remembered.get(key) ?? [];
      ofRow.push(entry);
      remembered.set(key, ofRow);
      if (ofRow.length > MAX_REMEMBERED_OF_ROW) {
        throw new DryRunTooLargeError(
          `a dry run takes at most ${MAX_REMEMBERED_OF_ROW} records of one row, and ${identity} has more; check the records in parts`,
        );
      }
    }
    if (count > MAX_REMEMBERED) {
      throw new DryRunTooLargeError(
        `a dry run takes at most ${MAX_REMEMBERED} records that have an id; check the records in parts`,
      );
    }
  }

  /** The remembered records that a batch needs, in order. */
  function neededBy(companyId: number, batch: Entry[]): Entry[] {
    const needed = new Set<Entry>();
    const open = [...batch];
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      for (const identity of [identityOf(entry.record), ...referencesOf(entry.record)]) {
        for (const earlier of remembered.get(keyOf(companyId, identity)) ?? []) {
          if (needed.has(earlier)) continue;
          needed.add(earlier);
          open.push(earlier);
        }
      }
    }
    return [...needed].toSorted((a, b) => a.line - b.line);
  }

  return {
    onError: options.onError,
    async writeCompany(entry) {
      const { id } = entry.record;
      const stored = companies.get(id) ?? (await findCompany(db, id));
      const { company, isChanged } = changedCompany(entry, stored);
      companies.set(id, company);
      return isChanged;
    },
    async writeBatches(companyId, batches) {
      const entries = batches.flat();
      const company = companies.get(companyId);
      const [, ...results] = await captureBatches(db, companyId, [neededBy(companyId, entries), ...batches], {
        ...options,
        rollBack: true,
        ...(company && { prepare: (tx) => createMissingCompany(tx, companyId, company) }),
      });
      const refused = new Set(results.flatMap((result) => result.refused.map(({ line }) => line)));
      remember(
        companyId,
        entries.filter(({ line }) => !refused.has(line)),
      );
      return results;
    },
  };
}

function referencesOf(record: CaptureRecord): string[] {
  return Object.entries(record).flatMap(([field, value]: [string, unknown]) =>
    field in REFERENCES && (typeof value === 'string' || typeof value === 'number')
      ? [`${REFERENCES[field]} ${value}`]
      : [],
  );
}

/** Creates a workspace that the stream has a record of, if it does not exist. */
async function createMissingCompany(tx: Queryable, id: number, { name }: StoredCompany): Promise<void> {
  await tx.$executeRaw`INSERT INTO companies (id, name) VALUES (${id}, ${name}) ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`INSERT INTO feed_clocks (company_id, at) VALUES (${id}, 'epoch') ON CONFLICT DO NOTHING`;
}
