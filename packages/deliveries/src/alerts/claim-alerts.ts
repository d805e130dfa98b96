import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type AlertChannelKind, OPERATOR_CHANNEL } from '@deal-signals/outbox/alert-events';
import { toOrigin } from '../attempts/redacted-error.ts';
import type { Alert } from './message.ts';

/** The waits after each failed attempt to send a message; after the last retry the message is given up. */
const RETRY_WAITS_MS = [30_000, 120_000, 300_000, 600_000, 1_200_000];
/** The interval between two messages of the same endpoint and event to a channel. */
const HOUR_MS = 3_600_000;
/**
 * Maximum number of due rows that a claim reads, oldest first. A claim that reads all takes 100 ms with 200,000 rows due; this one
 * takes 5 ms with a million.
 */
export const MAX_READ = 1_000;

/** A claimed alert. Only the holder of its claim token can record a result. */
export interface ClaimedAlert extends Alert {
  channelId: number;
  claimToken: string;
  /** Null if the channel was removed or no longer chooses the event, and for every alert of the operator. */
  channel: { kind: AlertChannelKind; targetCiphertext: Uint8Array } | null;
}

interface ClaimedRow extends Omit<ClaimedAlert, 'host' | 'channel'> {
  url: string;
  kind: AlertChannelKind | null;
  targetCiphertext: Uint8Array;
}

/**
 * Claims alerts that are due, either those of channels or those of the operator. A channel has at most one claimed alert, so a receiver
 * that hangs occupies one slot of one worker. If a worker crashes, its claims are due again at the end of the lease.
 *
 * The statement reads only rows that are due, usually none. It also removes rows of which nothing happened for an hour. Channels that
 * have a claimed alert are passed over, so many alerts of one channel cannot fill what is read.
 */
export async function claimAlerts(
  db: Pick<Database, '$queryRaw'>,
  { max, leaseMs, forOperator }: { max: number; leaseMs: number; forOperator: boolean },
): Promise<ClaimedAlert[]> {
  // Not a parameter, because the partial indexes name the same number.
  const inAudience = Prisma.raw(`channel_id ${forOperator ? '=' : '<>'} ${OPERATOR_CHANNEL}`);
  const rows = await db.$queryRaw<ClaimedRow[]>`
    WITH due_alert AS MATERIALIZED (
      SELECT company_id, channel_id, endpoint_id, event, due_at, count FROM alerts
      WHERE due_at <= statement_timestamp() AND ${inAudience} AND NOT EXISTS (
        SELECT FROM alerts AS held
        WHERE held.company_id = alerts.company_id AND held.channel_id = alerts.channel_id
          AND held.claim_token IS NOT NULL AND held.due_at > statement_timestamp())
      ORDER BY due_at LIMIT ${MAX_READ}::int
    ), idle AS (
      DELETE FROM alerts AS alert USING (
        SELECT alert.company_id, alert.channel_id, alert.endpoint_id, alert.event
        FROM due_alert JOIN alerts AS alert ON ${sameKey('alert', 'due_alert')}
        WHERE due_alert.count = 0 AND alert.count = 0
        FOR UPDATE OF alert SKIP LOCKED
      ) AS old
      WHERE ${sameKey('alert', 'old')}
    ), first AS (
      SELECT DISTINCT ON (company_id, channel_id) company_id, channel_id, endpoint_id, event, due_at
      FROM due_alert WHERE count > 0
      ORDER BY company_id, channel_id, due_at, endpoint_id, event
    ), next AS MATERIALIZED (
      SELECT * FROM first ORDER BY due_at LIMIT ${max}::int
    ), locked AS MATERIALIZED (
      SELECT alert.company_id, alert.channel_id, alert.endpoint_id, alert.event
      FROM next JOIN alerts AS alert ON ${sameKey('alert', 'next')}
      WHERE alert.due_at <= statement_timestamp()
      FOR UPDATE OF alert SKIP LOCKED
    ), claimed AS (
      UPDATE alerts AS alert
      SET claim_token = gen_random_uuid(), due_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
      FROM locked WHERE ${sameKey('alert', 'locked')}
      RETURNING alert.*
    )
    SELECT claimed.company_id AS "companyId", claimed.channel_id AS "channelId", claimed.endpoint_id AS "endpointId", claimed.event,
      claimed.message_id::text AS "messageId", claimed.count, claimed.consecutive_failures AS "consecutiveFailures",
      claimed.last_error AS "lastError", claimed.last_at AS at, claimed.claim_token::text AS "claimToken",
      endpoint.url, channel.kind, channel.target_ciphertext AS "targetCiphertext"
    FROM claimed
    JOIN webhook_endpoints AS endpoint ON endpoint.company_id = claimed.company_id AND endpoint.id = claimed.endpoint_id
    LEFT JOIN alert_channels AS channel
      ON channel.company_id = claimed.company_id AND channel.id = claimed.channel_id AND claimed.event = ANY (channel.events)`;
  return rows.map(({ url, kind, targetCiphertext, ...row }) => ({
    ...row,
    host: toOrigin(url),
    channel: kind && { kind, targetCiphertext },
  }));
}

/**
 * Records that a message was sent. What happens within the next hour, and what happened during the attempt, is in the next message.
 *
 * @returns 0 if another worker has claimed it in the meantime.
 */
export async function completeAlert(db: Database, claimed: ClaimedAlert): Promise<number> {
  const { count } = claimed;
  return db.$executeRaw`
    UPDATE alerts
    SET count = count - ${count}, attempts = 0, claim_token = NULL, message_id = gen_random_uuid(),
        due_at = clock_timestamp() + ${HOUR_MS}::float8 * interval '1 millisecond'
    WHERE ${isHeld(claimed)}`;
}

/**
 * Records that a message was not accepted. After each of the first five failures, the message and everything else that is due for its
 * channel is postponed. After the sixth, the message is given up.
 *
 * There are two transactions, because one could cause a deadlock: it would wait for the row of the message while it holds others.
 *
 * @returns true if the message was given up.
 */
export async function postponeAlert(db: Database, claimed: ClaimedAlert): Promise<boolean> {
  const { companyId, channelId } = claimed;
  const [postponed] = await db.$queryRaw<{ dueAt: Date }[]>`
    UPDATE alerts
    SET attempts = attempts + 1, claim_token = NULL,
        due_at = clock_timestamp() + (${RETRY_WAITS_MS}::float8[])[attempts + 1] * interval '1 millisecond'
    WHERE ${isHeld(claimed)} AND attempts < ${RETRY_WAITS_MS.length}
    RETURNING due_at AS "dueAt"`;
  if (postponed === undefined) return (await completeAlert(db, claimed)) > 0;
  await db.$executeRaw`
    UPDATE alerts AS alert SET due_at = ${postponed.dueAt}
    FROM (
      SELECT company_id, channel_id, endpoint_id, event FROM alerts
      WHERE company_id = ${companyId} AND channel_id = ${channelId} AND claim_token IS NULL AND due_at <= statement_timestamp()
      FOR UPDATE SKIP LOCKED
    ) AS other
    WHERE ${sameKey('alert', 'other')}`;
  return false;
}

/** Releases the claim of an alert whose attempt was interrupted because this process stops, so that another worker sends it at once. */
export async function releaseAlert(db: Database, claimed: ClaimedAlert): Promise<void> {
  await db.$executeRaw`
    UPDATE alerts SET claim_token = NULL, due_at = clock_timestamp() WHERE ${isHeld(claimed)}`;
}

/** Deletes an alert that no channel chooses any more. */
export async function discardAlert(db: Database, claimed: ClaimedAlert): Promise<void> {
  await db.$executeRaw`DELETE FROM alerts WHERE ${isHeld(claimed)}`;
}

function isHeld({ companyId, channelId, endpointId, event, claimToken }: ClaimedAlert): Prisma.Sql {
  return Prisma.sql`
    company_id = ${companyId} AND channel_id = ${channelId} AND endpoint_id = ${endpointId} AND event = ${event}
    AND claim_token = ${claimToken}::uuid`;
}

function sameKey(one: string, other: string): Prisma.Sql {
  return Prisma.raw(
    ['company_id', 'channel_id', 'endpoint_id', 'event']
      .map((column) => `${one}.${column} = ${other}.${column}`)
      .join(' AND '),
  );
}
