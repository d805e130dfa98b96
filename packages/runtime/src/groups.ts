import { AsyncResource } from 'node:async_hooks';

/** Gathers what is asked for at about the same time, so that one call serves many callers. */
export interface Groups<Item, Result> {
  /**
   * Adds an item to the next group of its key and waits for the item's result.
   *
   * @throws what the call for the group has thrown: every item of a group that fails gets that error.
   */
  add(key: string, item: Item): Promise<Result>;
  /** Whether a group of this key is under way. */
  isUnderWay(key: string): boolean;
}

/** How groups are made up. */
export interface GroupOptions<Item> {
  /** The largest group; no limit by default. What is beyond it goes out with the one after. */
  most?: number;
  /** What an item counts towards `most`; 1 by default. */
  weightOf?: (item: Item) => number;
  /**
   * The least time from the beginning of a group to that of the next one of its key, for what nobody waits for: the groups are
   * larger and fewer.
   */
  leastMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  /** Where the item was added, as traces follow it. */
  origin: AsyncResource;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates groups within this process. The first item goes out at once, in a group of its own. Those that come while a
 * group of their key is under way make up the next one, in the order in which they came, so the groups grow with the load. A
 * key takes memory only while a group of it is under way.
 *
 * @param run does the work of a group of one key, and returns the results in the order of its items.
 */
export function createGroups<Item, Result>(
  run: (items: Item[], key: string) => Promise<Result[]>,
  { most = Infinity, weightOf = () => 1, leastMs = 0 }: GroupOptions<Item> = {},
): Groups<Item, Result> {
  const lines = new Map<string, Waiting<Item, Result>[]>();

  async function runAll(key: string, line: Waiting<Item, Result>[]): Promise<void> {
    while (line.length > 0) {
      const begunMs = performance.now();
      await runGroup(key, takeFirst(line));
      const restMs = begunMs + leastMs - performance.now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    lines.delete(key);
  }

  /** Takes the items that come first and fit into one group, at least one of them. */
  function takeFirst(line: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    let weight = 0;
    const end = line.findIndex(({ item }, place) => {
      weight += weightOf(item);
      return place > 0 && weight > most;
    });
    return line.splice(0, end === -1 ? line.length : end);
  }

  async function runGroup(key: string, group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = group.map(({ item }) => item);
      // Otherwise everything would be traced below the item that began the line, for as long as there is load.
      const results = await group[0]!.origin.runInAsyncScope(run, null, items, key);
      if (results.length !== group.length) throw new RangeError('a group needs one result for each item');
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return {
    add: (key, item) =>
      new Promise((resolve, reject) => {
        const line = lines.get(key);
        const waiting = { item, origin: new AsyncResource('GroupItem'), resolve, reject };
        if (line !== undefined) {
          line.push(waiting);
          return;
        }
        const newLine = [waiting];
        lines.set(key, newLine);
        void runAll(key, newLine);
      }),
    isUnderWay: (key) => lines.has(key),
  };
}
