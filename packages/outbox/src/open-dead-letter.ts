import { Prisma } from '@deal-signals/db/generated/client';
import { PING } from './event-types.ts';

/**
 * The condition, on the columns of `webhook_deliveries`, the log, of a dead letter that awaits a decision: it is counted, retried and
 * dismissed, and a test event never is. Without parameters, so that it is that of the partial indexes.
 */
export const OPEN_DEAD_LETTER = Prisma.raw(
  `status = 'dead' AND dismissed_at IS NULL AND event_type <> '${PING}'`,
);
