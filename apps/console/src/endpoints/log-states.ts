/** The states that the log of an endpoint can be filtered by. */
export const LOG_STATES = ['pending', 'delivered', 'dead'] as const;
/** A state in that list. */
export type LogState = (typeof LOG_STATES)[number];
