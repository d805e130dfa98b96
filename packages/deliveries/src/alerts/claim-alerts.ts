import type { Database } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { type AlertChannelKind, OPERATOR_CHANNEL } from '@deal-signals/outbox/alert-events';
import { toOrigin } from '../attempts/redacted-error.ts';
import type { Alert } from './message.ts';

/** The waits after each failed attempt to send a message; after the last retry the message is given up. */
const RETRY_WAITS_MS = [30_000, 120_000, 300_000, 600_000, 1_200_000];
/** How long a channel is told no more of the same, after a message was sent or given up. */
const HOUR_MS = 3_600_000;
/** How many idle rows a claim removes. */
const MAX_REMOVED = 1_000;

/** An alert to send, and the right to send it. */
export interface ClaimedAlert extends Alert {
  channelId: number;
  claimToken: string;
  /** Null if there is no such channel, or it does not choose the event any more; always for the operator. */
  channel: { kind: AlertChannelKind; targetCiphertext: Uint8Array } | null;
}

interface ClaimedRow extends Omit<ClaimedAlert, 'host' | 'channel'> {
  url: string;
  kind: AlertChannelKind | null;
  targetCiphertext: Uint8Array;
}

/**
 * Claims alerts that are due: those of channels, or those of the operator. Of a channel, one message is under way at a time, so that a
 * receiver that hangs holds one slot of one worker, however much it is to be told. A claim whose worker goes away is due again at the
 * end of its lease.
 *
 * It reads what is due, which is nothing most of the time, and removes what has been quiet for an hour.
 */
export async function claimAlerts(
  db: Database,
  { most, leaseMs, ofOperator }: { most: number; leaseMs: number; ofOperator: boolean },
): Promise<ClaimedAlert[]> {
  const mine = ofOperator
    ? Prisma.sql`channel_id = ${OPERATOR_CHANNEL}`
    : Prisma.sql`channel_id <> ${OPERATOR_CHANNEL}`;
  const rows = await db.$queryRaw<ClaimedRow[]>`
    WITH idle AS (
      DELETE FROM alerts AS alert USING (
        SELECT company_id, channel_id, endpoint_id, event FROM alerts
        WHERE due_at <= statement_timestamp() AND count = 0 AND ${mine} LIMIT ${MAX_REMOVED}::int FOR UPDATE SKIP LOCKED
      ) AS old
      WHERE ${sameKey('alert', 'old')}
    ), next AS MATERIALIZED (
      SELECT DISTINCT ON (company_id, channel_id) company_id, channel_id, endpoint_id, event, due_at
      FROM alerts WHERE due_at <= statement_timestamp() AND count > 0 AND ${mine}
      ORDER BY company_id, channel_id, due_at
    ), free AS MATERIALIZED (
      SELECT * FROM next
      WHERE NOT EXISTS (
        SELECT FROM alerts AS held
        WHERE held.company_id = next.company_id AND held.channel_id = next.channel_id
          AND held.claim_token IS NOT NULL AND held.due_at > statement_timestamp())
      ORDER BY due_at LIMIT ${most}::int
    ), locked AS MATERIALIZED (
      SELECT alert.company_id, alert.channel_id, alert.endpoint_id, alert.event
      FROM free JOIN alerts AS alert ON ${sameKey('alert', 'free')}
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

/** Records that a message was sent: for an hour, what happens waits. What has happened during the attempt waits too. */
export async function completeAlert(db: Database, claimed: ClaimedAlert): Promise<void> {
  await db.$executeRaw`
    UPDATE alerts SET ${nextMessage(claimed)} WHERE ${isHeld(claimed)}`;
}

/**
 * Records that a message was not accepted. It is sent again after a wait, and given up after five of them. Whatever else is due for the
 * channel waits as long.
 *
 * @returns whether it was given up.
 */
export async function postponeAlert(db: Database, claimed: ClaimedAlert): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isGivenUp: boolean }[]>`
    WITH failed AS (
      UPDATE alerts
      SET attempts = attempts + 1, claim_token = NULL,
          due_at = clock_timestamp() + (${RETRY_WAITS_MS}::float8[])[attempts + 1] * interval '1 millisecond'
      WHERE ${isHeld(claimed)} AND attempts < ${RETRY_WAITS_MS.length}
      RETURNING due_at
    ), given_up AS (
      UPDATE alerts SET ${nextMessage(claimed)}
      WHERE ${isHeld(claimed)} AND attempts >= ${RETRY_WAITS_MS.length}
      RETURNING true
    ), others AS (
      UPDATE alerts AS alert SET due_at = failed.due_at
      FROM failed, (
        SELECT company_id, channel_id, endpoint_id, event FROM alerts
        WHERE company_id = ${claimed.companyId} AND channel_id = ${claimed.channelId} AND claim_token IS NULL
          AND due_at <= statement_timestamp()
        FOR UPDATE SKIP LOCKED
      ) AS other
      WHERE ${sameKey('alert', 'other')}
    )
    SELECT EXISTS (SELECT FROM given_up) AS "isGivenUp"`;
  return row!.isGivenUp;
}

/** Ends the claim of an alert that was not sent because this process stops: another one sends it at once. */
export async function releaseAlert(db: Database, claimed: ClaimedAlert): Promise<void> {
  await db.$executeRaw`
    UPDATE alerts SET claim_token = NULL, due_at = clock_timestamp() WHERE ${isHeld(claimed)}`;
}

/** Removes an alert that nobody wants to be told of. */
export async function discardAlert(db: Database, claimed: ClaimedAlert): Promise<void> {
  await db.$executeRaw`DELETE FROM alerts WHERE ${isHeld(claimed)}`;
}

function nextMessage({ count }: ClaimedAlert): Prisma.Sql {
  return Prisma.sql`
    count = count - ${count}, attempts = 0, claim_token = NULL, message_id = gen_random_uuid(),
    due_at = clock_timestamp() + ${HOUR_MS}::float8 * interval '1 millisecond'`;
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
