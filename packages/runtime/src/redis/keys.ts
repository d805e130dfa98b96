/**
 * The prefix of the queues' keys and of the worker's own. It is a hash tag: a Redis Cluster keeps all of them in one slot,
 * because BullMQ's scripts and transactions use many keys of a queue at once. The keys of the rate limits have no tag, so
 * that they spread over the nodes: each script of theirs uses one key.
 */
export function queuePrefix(prefix: string): string {
  return `{${prefix}}`;
}
