// How a commit wakes the dispatchers. The database function `wake_dispatchers` uses the same channel and lock.

/** The channel that a transaction notifies when it makes a delivery ready, while a dispatcher listens. */
export const WAKE_CHANNEL = 'deliveries_ready';
/** The advisory lock that each listener holds in shared mode. While it is free, transactions do not notify. */
export const WAKE_LOCK = 4_829_113_017n;
/** The advisory lock of the woken dispatcher that claims. Other woken dispatchers do nothing while it is held. */
export const CLAIM_LOCK = 4_829_113_018n;
