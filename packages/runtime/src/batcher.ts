import { AsyncResource } from 'node:async_hooks';

/** Combines calls that arrive at about the same time, so that one call serves many callers. */
export interface Batcher<Item, Result> {
  /**
   * Adds an item to the next batch of its key, and returns the item's result.
   *
   * @throws the error of the batch: if a batch fails, each of its items fails with the same error.
   */
  add(key: string, item: Item): Promise<Result>;
  /** Reports whether a batch of this key is running or waiting. */
  isBusy(key: string): boolean;
}

/** The size and the rate of batches. */
export interface BatcherOptions<Item> {
  /** The maximum size of a batch; unlimited by default. Items beyond it go into the batch after. */
  maxSize?: number;
  /** Returns how much an item counts towards `maxSize`; 1 by default. */
  weigh?: (item: Item) => number;
  /**
   * The minimum time between the starts of two batches of a key; none by default. It makes batches larger and fewer, for work that
   * no caller is in a hurry for.
   */
  minIntervalMs?: number;
}

interface QueuedItem<Item, Result> {
  item: Item;
  /** The async context in which the item was added, which traces follow. */
  origin: AsyncResource;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates a batcher. The first item of a key starts at once, in a batch of its own. Items that arrive while a batch of their key is
 * running form the next one, in the order of their arrival, so batches grow with the load. A key takes memory only while it is busy.
 *
 * @param run does the work of a batch of one key, and returns the results in the order of its items.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[], key: string) => Promise<Result[]>,
  { maxSize = Infinity, weigh = () => 1, minIntervalMs = 0 }: BatcherOptions<Item> = {},
): Batcher<Item, Result> {
  const queues = new Map<string, QueuedItem<Item, Result>[]>();

  async function runAll(key: string, queue: QueuedItem<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const startedMs = performance.now();
      await runBatch(key, takeBatch(queue));
      const restMs = startedMs + minIntervalMs - performance.now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    queues.delete(key);
  }

  /** Takes the first items that fit into one batch, at least one. */
  function takeBatch(queue: QueuedItem<Item, Result>[]): QueuedItem<Item, Result>[] {
    let weight = 0;
    const end = queue.findIndex(({ item }, index) => {
      weight += weigh(item);
      return index > 0 && weight > maxSize;
    });
    return queue.splice(0, end === -1 ? queue.length : end);
  }

  async function runBatch(key: string, batch: QueuedItem<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      // Otherwise every batch would be traced under the item that started the queue, for as long as there is load.
      const results = await batch[0]!.origin.runInAsyncScope(run, null, items, key);
      if (results.length !== batch.length)
        throw new RangeError('a batch must return one result for each item');
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    add: (key, item) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(key);
        const queued = { item, origin: new AsyncResource('BatchItem'), resolve, reject };
        if (queue !== undefined) {
          queue.push(queued);
          return;
        }
        const newQueue = [queued];
        queues.set(key, newQueue);
        void runAll(key, newQueue);
      }),
    isBusy: (key) => queues.has(key),
  };
}
