import { captureRecords } from '@deal-signals/capture/capture-records';
import type { CaptureInput } from '@deal-signals/capture/record';
import type { Database } from '@deal-signals/db/database';
import { firstIdAt, IDS_PER_MS } from '@deal-signals/db/feeds/position';
import { uuid } from '@deal-signals/test-kit/worlds/ids';
import type { Client } from 'pg';
import { refillTables } from './refill-tables.ts';
import { COMPANY, parsed, readRecords } from './workspace.ts';

/** Events of a type and of a room that only these have, spread evenly over the feed. */
export const SPARSE_EVENTS = 120;
export const SPARSE_TYPE = 'contract_review';
export const SPARSE_ROOM = uuid(910_000);

const SPARSE_LINK = uuid(910_001);
const CALL = uuid(1_000_000);
/** Captured events that the others are copies of. */
const SAMPLES = { events: 250, views: 1, rooms: 50, calls: 50 };
/** The events of every feed are spread over the same time, however many there are. */
const SPAN_DAYS = 100;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);
/** Rows that one statement writes. */
const STEP = 500_000;

/** When the nth event of a feed of this many has happened, counted from 1. */
export function momentOf(n: number, events: number): Date {
  return new Date(START_MS + n * stepMs(events));
}

/** The id of the nth event of a feed of this many. Each was recorded when it happened. */
export function idOf(n: number, events: number): bigint {
  return firstIdAt(momentOf(n, events));
}

function stepMs(events: number): number {
  return Math.max(1, Math.floor((SPAN_DAYS * DAY_MS) / events));
}

/**
 * Fills the events of a workspace with copies of some that were captured, with ids, keys and times of their own. The roll-ups
 * of the rooms, which no feed shows, stay those of the captured ones.
 */
export async function buildLargeFeed(
  databaseUrl: string,
  db: Database,
  events: number,
  say: (line: string) => void,
): Promise<void> {
  await captureRecords(db, parsed(readRecords(SAMPLES)));
  await captureRecords(db, parsed(sparseRecords()));
  await refillTables({
    databaseUrl,
    tables: ['engagement_events'],
    // The sample of the sparse events has number 0.
    prepare: async (client) => {
      await client.query(
        `CREATE TEMPORARY TABLE samples ON COMMIT DROP AS
         SELECT row_number() OVER (ORDER BY type <> '${SPARSE_TYPE}', id) - 1 AS number, e.* FROM engagement_events e`,
      );
      await client.query('ANALYZE samples');
    },
    fill: async (client) => {
      const insert = await copyStatement(client, events);
      for (let from = 1; from <= events; from += STEP) {
        say(`events: ${(from - 1).toLocaleString('en')} of ${events.toLocaleString('en')}`);
        await client.query(insert, [from, Math.min(events, from + STEP - 1)]);
      }
    },
    say,
  });
}

/** Builds the statement that writes the events from $1 to $2. */
async function copyStatement(client: Client, events: number): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = 'engagement_events' AND is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => name);
  const iso = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const id = `(extract(epoch FROM moment.at) * 1000)::bigint * ${IDS_PER_MS}`;
  const ofMoment = `replace(sample.object_text, ${iso('sample.occurred_at')}, ${iso('moment.at')})`;
  const replaced: Record<string, string> = {
    id,
    key: `'event ' || n`,
    occurred_at: 'moment.at',
    object_text: `replace(${ofMoment}, sample.id::text, (${id})::text)`,
  };
  return `
    INSERT INTO engagement_events (${columns.join(', ')})
    SELECT ${columns.map((name) => replaced[name] ?? `sample.${name}`).join(', ')}
    FROM generate_series($1::bigint, $2::bigint) AS n
    CROSS JOIN LATERAL (
      SELECT '${new Date(START_MS).toISOString()}'::timestamptz + n * interval '${stepMs(events)} milliseconds' AS at
    ) AS moment
    JOIN samples AS sample
      ON sample.number = CASE WHEN n % ${Math.floor(events / SPARSE_EVENTS)} = 0 THEN 0 ELSE 1 + n % ${SAMPLES.events} END`;
}

function* sparseRecords(): Generator<CaptureInput> {
  yield { record: 'room', companyId: COMPANY, id: SPARSE_ROOM, name: 'Seldom visited', ownerId: 1 };
  yield {
    record: 'distribution',
    companyId: COMPANY,
    id: SPARSE_LINK,
    roomId: SPARSE_ROOM,
    callId: CALL,
    recipientName: 'Sue Seldom',
    recipientEmail: 'sue@seldom.example',
  };
  yield {
    record: 'event',
    companyId: COMPANY,
    key: 'sparse',
    type: SPARSE_TYPE,
    occurredAt: '2026-09-01T12:00:00Z',
    distributionId: SPARSE_LINK,
    metadata: { source: 'web' },
  };
}
