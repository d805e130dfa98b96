/**
 * Maximum depth of JSON that comes from outside: an object or a list is one level, and what is in it is the next. It is beyond
 * what data needs, and below the limits of common readers, such as 100 in Ruby and about 1,000 in Python.
 */
export const MAX_JSON_DEPTH = 64;

/**
 * Returns whether a JSON value has more levels than this. It never looks further down, so JSON of any depth cannot exhaust the
 * stack.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
