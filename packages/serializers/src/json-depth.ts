/**
 * Maximum depth of JSON from outside: an object or a list is one level, and its content is the next. It is more than data needs,
 * and less than the limits of common readers, such as 100 in Ruby and about 1,000 in Python.
 */
export const MAX_JSON_DEPTH = 64;

/**
 * Reports whether a JSON value has more levels than this. It never descends further, so JSON of any depth cannot exhaust the
 * stack.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
