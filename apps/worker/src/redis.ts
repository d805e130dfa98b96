import { Redis } from 'ioredis';

const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 5_000;
const LONGEST_RETRY_MS = 2_000;
/** An idle connection whose other end has silently gone is found out by the system's probes. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** A wait that grows to two seconds: a Redis that comes back is found soon. */
function retryStrategy(times: number): number {
  return Math.min(times * 100, LONGEST_RETRY_MS);
}

/** The connection that jobs are taken over. Its commands wait for as long as Redis is away, as BullMQ wants it. */
export function connectConsumer(url: string): Redis {
  return new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_DELAY_MS,
    maxRetriesPerRequest: null,
    retryStrategy,
  });
}

/** The connection that jobs are put in over. Its commands fail soon, so that a claim is not held for a queue in vain. */
export function connectProducer(url: string): Redis {
  return new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_DELAY_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
}
