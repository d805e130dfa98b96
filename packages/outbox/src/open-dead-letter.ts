import { Prisma } from '@deal-signals/db/generated/client';
import { PING } from './event-types.ts';

/**
 * The condition for a dead letter that awaits a decision, on the columns of `webhook_deliveries` (the log): it is counted, and it
 * can be retried and dismissed. Test events never are. The condition has no parameters, so that it matches the predicate of the
 * partial indexes.
 */
export const OPEN_DEAD_LETTER = Prisma.raw(
  `status = 'dead' AND dismissed_at IS NULL AND event_type <> '${PING}'`,
);
