import { createHash } from 'node:crypto';

/**
 * A source of random choices that depends only on its seed. Forks are independent of each other and of earlier draws,
 * so an additional draw for one subject does not change the others.
 */
export class Random {
  readonly #seed: string;
  #state: number;

  constructor(seed: string) {
    this.#seed = seed;
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  /** Returns an independent source for one subject, identified by its label. */
  fork(label: string): Random {
    return new Random(`${this.#seed}/${label}`);
  }

  /** Draws a number from 0 (inclusive) to 1 (exclusive), using mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Draws a whole number. Both bounds are inclusive. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /**
   * Draws one item of a list.
   *
   * @throws RangeError if the list is empty.
   */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('cannot pick from an empty list');
    return list[Math.floor(this.next() * list.length)]!;
  }

  /** Draws one of the keys, with probabilities proportional to the weights. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    return entries.find(([, weight]) => (left -= weight) < 0)![0];
  }

  /** Returns the items in random order. */
  shuffle<T>(list: readonly T[]): T[] {
    const keyed = list.map((item) => ({ item, place: this.next() }));
    return keyed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
  }

  /** Draws up to `size` different items of a list. */
  sample<T>(list: readonly T[], size: number): T[] {
    return this.shuffle(list).slice(0, size);
  }

  /** Returns the UUID (in the format of version 5) of a label under this seed. It does not depend on earlier draws. */
  uuid(label: string): string {
    const bytes = createHash('sha1').update(`${this.#seed}/${label}`).digest().subarray(0, 16);
    bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x50;
    bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}
