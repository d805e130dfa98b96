import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPERATOR_CHANNEL } from '@deal-signals/outbox/alert-events';

/**
 * Builds the INSERT of alerts for the channels that choose an event. It runs in the transaction that causes the event, so an alert
 * exists exactly if its cause was committed.
 *
 * If a channel already has an alert of the endpoint and event, the new one is added to its count. A channel therefore gets at most one
 * message an hour of an endpoint and event.
 *
 * The caller has locked the endpoint. Statements that claim, postpone or delete alerts skip locked rows and lock nothing else, so this
 * one waits for the end of a statement at most, and causes no deadlock.
 * Channels are read only for events that happened.
 *
 * @param happened a query of company_id, endpoint_id, event, count, failures and error.
 * @param toOperator true to write an alert for the operator too.
 */
export function insertAlerts(happened: Prisma.Sql, toOperator: boolean): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO alerts AS alert
      (company_id, channel_id, endpoint_id, event, count, consecutive_failures, last_error, last_at, due_at)
    SELECT happened.company_id, channel.id, happened.endpoint_id, happened.event, happened.count, happened.failures, happened.error,
      clock_timestamp(), clock_timestamp()
    FROM (${happened}) AS happened
    CROSS JOIN LATERAL (
      (SELECT id FROM alert_channels
       WHERE company_id = happened.company_id AND happened.event = ANY (events))
      UNION ALL SELECT ${OPERATOR_CHANNEL}::int WHERE ${toOperator}::boolean
    ) AS channel
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (company_id, channel_id, endpoint_id, event) DO UPDATE
    SET count = alert.count + excluded.count,
        consecutive_failures = excluded.consecutive_failures,
        last_error = coalesce(excluded.last_error, alert.last_error),
        last_at = excluded.last_at`;
}

/** Inserts the alerts of an endpoint that the system disabled. The caller disabled it in the same transaction. */
export async function insertDisabledAlerts(
  tx: Transaction,
  companyId: number,
  endpointId: number,
  toOperator: boolean,
): Promise<void> {
  const disabled = Prisma.sql`
    SELECT company_id, id AS endpoint_id, 'endpoint.disabled' AS event, 1 AS count, consecutive_failures AS failures, last_error AS error
    FROM webhook_endpoints WHERE company_id = ${companyId} AND id = ${endpointId}`;
  await tx.$executeRaw(insertAlerts(disabled, toOperator));
}
