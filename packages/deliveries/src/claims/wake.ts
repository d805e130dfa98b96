// How a commit wakes the dispatchers. The function `wake_dispatchers` of the database names the same channel and lock.

/** Notified by each transaction that makes a delivery ready, while somebody listens. */
export const WAKE_CHANNEL = 'deliveries_ready';
/** The advisory lock that each listener holds in shared mode. Nobody notifies while it is free. */
export const WAKE_LOCK = 4_829_113_017n;
/** The advisory lock of the woken dispatcher that claims: the others leave it to that one. */
export const CLAIM_LOCK = 4_829_113_018n;
