/**
 * Returns the prefix of the keys of the queues and of the worker. It is a hash tag, so a Redis Cluster keeps all of these keys in
 * one slot: BullMQ's scripts and transactions use several keys of a queue at once. The keys of rate limits have no hash tag, so
 * that they spread over the nodes: each of their scripts uses one key.
 */
export function queuePrefix(prefix: string): string {
  return `{${prefix}}`;
}
