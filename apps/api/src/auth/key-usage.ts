import type { Database } from '@deal-signals/db/database';
import { describeError, type Logger } from '@deal-signals/runtime/logger';
import type { EndedRequest } from '../http/request-log.ts';

/** Maximum time that counts stay in memory. A process that is killed loses the counts of this time. */
const WRITE_AFTER_MS = 60_000;
/** Maximum number of keys that are counted between two writes. It bounds the memory while the database is unavailable. */
const MAX_KEYS = 10_000;
const DAY_MS = 86_400_000;

/** Counts the requests of API keys by day. */
export interface KeyUsage {
  /** Counts a finished request if it had a valid key. It never waits and never fails. */
  count(request: Pick<EndedRequest, 'companyId' | 'keyId' | 'statusCode'>): void;
  /** Writes the remaining counts and stops. */
  close(): Promise<void>;
}

/** The requests of one key on one day. */
interface KeyDayCount {
  companyId: number;
  keyId: number;
  day: Date;
  requests: number;
  refused: number;
}

/**
 * Creates a counter that counts in memory and adds the counts of all keys to the database once a minute, in one statement. A
 * request costs one addition, regardless of the state of the database, and the counts of several processes add up.
 *
 * @param writeAfterMs maximum time that counts stay in memory.
 */
export function createKeyUsage(db: Database, logger: Logger, writeAfterMs = WRITE_AFTER_MS): KeyUsage {
  let counts = new Map<string, KeyDayCount>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let writing = Promise.resolve();

  function add({ companyId, keyId, day, requests, refused }: KeyDayCount): void {
    const key = `${keyId} ${day.getTime()}`;
    const counted = counts.get(key);
    if (counted !== undefined) {
      counted.requests += requests;
      counted.refused += refused;
    } else if (counts.size < MAX_KEYS) {
      counts.set(key, { companyId, keyId, day, requests, refused });
    }
  }

  function startTimer(): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      void write().finally(() => {
        timer = undefined;
        if (counts.size > 0) startTimer();
      });
    }, writeAfterMs);
    timer.unref();
  }

  /** Runs one write at a time. `close` waits for the write in progress, then writes what that one could not. */
  function write(): Promise<void> {
    writing = writing.then(writeCounts);
    return writing;
  }

  /** Writes the counts. It never rejects; counts that cannot be written are kept for the next write. */
  async function writeCounts(): Promise<void> {
    const written = [...counts.values()];
    if (written.length === 0) return;
    counts = new Map();
    try {
      await addToDays(db, written);
    } catch (error) {
      logger.warn('could not record the requests of API keys', describeError(error));
      for (const counted of written) add(counted);
    }
  }

  return {
    count({ companyId, keyId, statusCode }) {
      if (companyId === undefined || keyId === undefined) return;
      const day = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
      add({ companyId, keyId, day, requests: 1, refused: isRefusal(statusCode) ? 1 : 0 });
      startTimer();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await write();
    },
  };
}

function isRefusal(statusCode: number): boolean {
  return statusCode === 403 || statusCode === 429;
}

/** Adds counts to the rows of their days, in a fixed order, so that two processes cannot deadlock. */
async function addToDays(db: Database, counts: readonly KeyDayCount[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO api_key_days AS days (company_id, api_key_id, day, requests, refused)
    SELECT key.company_id, key.id, day, counted.requests, counted.refused
    FROM unnest(${counts.map(({ companyId }) => companyId)}::int[], ${counts.map(({ keyId }) => keyId)}::int[],
      ${counts.map(({ day }) => day)}::timestamptz[], ${counts.map(({ requests }) => requests)}::int[],
      ${counts.map(({ refused }) => refused)}::int[]) AS counted (company_id, key_id, at, requests, refused)
    CROSS JOIN LATERAL (SELECT (at AT TIME ZONE 'UTC')::date AS day) AS in_utc
    -- Skips keys that were deleted by hand. Their rows would violate the foreign key and fail the whole statement.
    JOIN api_keys AS key ON key.company_id = counted.company_id AND key.id = counted.key_id
    ORDER BY key.company_id, key.id, day
    ON CONFLICT (company_id, api_key_id, day) DO UPDATE
    SET requests = days.requests + excluded.requests, refused = days.refused + excluded.refused`;
}
