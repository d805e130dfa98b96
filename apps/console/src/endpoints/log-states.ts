/** The states that the log of an endpoint can be restricted to. */
export const LOG_STATES = ['pending', 'delivered', 'dead'] as const;
/** One of them. */
export type LogState = (typeof LOG_STATES)[number];
