import { Prisma } from '@deal-signals/db/generated/client';

/** The error of a delivery that is dead because its endpoint was removed, as the delivery log shows it. */
export const REMOVED_ERROR = 'the endpoint was removed';

/**
 * The part of a statement that logs deliveries as dead. It reads the rows `removed` that the statement deleted from the queue.
 */
export const LOG_AS_REMOVED = Prisma.sql`
  INSERT INTO webhook_deliveries
    (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, last_status_code, last_error)
  SELECT company_id, id, endpoint_id, event_id, event_type, 'dead', attempts, created_at, last_status_code, ${REMOVED_ERROR}
  FROM removed`;
