/**
 * Returns a JSON value as PostgreSQL returns it from a `jsonb` column, which sorts the keys of objects by their length in
 * bytes and then by their bytes. So an object that is built before its row is written has the same text as one that is
 * built from the row.
 */
export function inStoredOrder<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inStoredOrder) as T;
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object).toSorted(compareKeys);
  return Object.fromEntries(keys.map((key) => [key, inStoredOrder(object[key])])) as T;
}

function compareKeys(a: string, b: string): number {
  const length = Buffer.byteLength(a);
  const difference = length - Buffer.byteLength(b);
  if (difference !== 0) return difference;
  // A text with as many bytes as characters is ASCII, whose order is the same in both encodings.
  if (length === a.length && length === b.length) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
