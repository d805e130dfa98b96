import type { Transaction } from '@deal-signals/db/database';
import { Prisma } from '@deal-signals/db/generated/client';
import { OPERATOR_CHANNEL } from '@deal-signals/outbox/alert-events';

/**
 * The part of a statement that writes what channels are to be told. It belongs in the transaction of what happened: what was not
 * committed is not told, and what was is told, whoever goes away meanwhile.
 *
 * While a channel has an alert of the same endpoint and event, what happens is added to it. So a channel gets one message an hour of
 * them, and this remains one upsert.
 *
 * Whoever writes alerts of an endpoint has locked its row, and others that change alerts skip locked ones: nobody waits for another.
 * Channels are looked up in the index for each thing that happened, so nothing is read of them while nothing does.
 *
 * @param happened a query of company_id, endpoint_id, event, count, failures and error.
 * @param toOperator whether the operator is told too.
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

/** Writes that the system has disabled an endpoint by itself. The caller has done so in the same transaction. */
export async function alertOfDisabling(
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
