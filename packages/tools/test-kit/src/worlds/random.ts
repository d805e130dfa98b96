/**
 * Returns a reproducible sequence of whole numbers: each call returns one from 0 (inclusive) to `limit` (exclusive). It is the
 * linear congruential generator of Park and Miller with the multiplier 48271.
 */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
