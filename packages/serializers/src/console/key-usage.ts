import type { Queryable } from '@deal-signals/db/queryable';
import { Prisma } from '@deal-signals/db/generated/client';
import { z } from 'zod';
import { calendarDate } from '../date-time.ts';

/** Number of days for which the request counts of a key are kept. */
export const DAYS_KEPT = 90;
/** More keys than a workspace can have active at a time. Those with the highest ids are returned. */
const MAX_KEYS = 500;
const DAY_MS = 86_400_000;

const keyUsage = z
  .object({
    keyId: z.int(),
    requests: z.array(z.int()).meta({ description: 'Requests with the key, for each day' }),
    refused: z.array(z.int()).meta({ description: 'Requests that got a 403 or a 429, for each day' }),
    totalRequests: z.int(),
    totalRefused: z.int(),
  })
  .meta({ id: 'ApiKeyUsage' });

/** The requests of API keys, day by day. */
export const keyUsageList = z
  .object({
    days: z.array(calendarDate).meta({ description: 'The days in UTC, oldest first. The last one is today' }),
    data: z.array(keyUsage).meta({
      description: 'The keys that were used in this period, by id. At most 500, those with the highest ids',
    }),
  })
  .meta({ id: 'ApiKeyUsageList' });

/** The requests of API keys in the API. */
export type KeyUsageList = z.infer<typeof keyUsageList>;

/** The requests of one key on one day. */
interface DayRow {
  keyId: number;
  day: Date;
  requests: number;
  refused: number;
}

/**
 * Reads the requests of the keys of a workspace, or of one key, over a number of days that ends today.
 *
 * @param days number of days, at most `DAYS_KEPT`.
 */
export async function findKeyUsage(
  db: Queryable,
  companyId: number,
  { days, keyId, now }: { days: number; keyId: number | undefined; now: Date },
): Promise<KeyUsageList> {
  const todayMs = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: days }, (_, place) => todayMs - (days - 1 - place) * DAY_MS);
  const only = keyId === undefined ? Prisma.empty : Prisma.sql`AND key.id = ${keyId}`;
  const rows = await db.query<DayRow>(Prisma.sql`
      SELECT key.id AS "keyId", used.*
      FROM (
        SELECT id FROM api_keys AS key WHERE key.company_id = ${companyId} ${only} ORDER BY id DESC LIMIT ${MAX_KEYS}
      ) AS key
      CROSS JOIN LATERAL (
        SELECT day, requests::float8 AS requests, refused::float8 AS refused FROM api_key_days
        WHERE company_id = ${companyId} AND api_key_id = key.id AND day >= ${new Date(starts[0] ?? todayMs)}::date
        ORDER BY company_id, api_key_id, day LIMIT ${days}
      ) AS used
      ORDER BY key.id, used.day`);
  const ofKey = new Map<number, Map<number, DayRow>>();
  for (const row of rows) {
    const ofDays = ofKey.get(row.keyId) ?? new Map<number, DayRow>();
    ofKey.set(row.keyId, ofDays.set(row.day.getTime(), row));
  }
  return {
    days: starts.map((start) => new Date(start).toISOString().slice(0, 10)),
    data: [...ofKey].map(([id, ofDays]) => {
      const requests = starts.map((start) => ofDays.get(start)?.requests ?? 0);
      const refused = starts.map((start) => ofDays.get(start)?.refused ?? 0);
      return { keyId: id, requests, refused, totalRequests: sum(requests), totalRefused: sum(refused) };
    }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
