/** A path at which two JSON values differ. */
export interface Difference {
  /** Names and indexes, such as `owner.name` or `participants[2]`. Empty for the values themselves. */
  path: string;
  /** Undefined if the value is missing. */
  sent: unknown;
  now: unknown;
}

/**
 * Compares two JSON values.
 *
 * @returns the innermost differences, in the order of the first value. Elements of arrays are compared by index.
 */
export function jsonDifferences(sent: unknown, now: unknown, path = ''): Difference[] {
  if (Object.is(sent, now)) return [];
  if (!areAlike(sent, now)) return [{ path, sent, now }];
  const before = sent as Record<string, unknown>;
  const after = now as Record<string, unknown>;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    jsonDifferences(before[name], after[name], Array.isArray(sent) ? `${path}[${name}]` : joined(path, name)),
  );
}

/** Whether both are objects or both are arrays, so that their parts can be compared. */
function areAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return Array.isArray(one) === Array.isArray(other);
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
