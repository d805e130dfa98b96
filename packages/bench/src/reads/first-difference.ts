/** Describes where two parsed JSON values first differ; null if they are equal. The order of fields does not matter. */
export function firstDifference(expected: unknown, received: unknown, place = '$'): string | null {
  if (isObject(expected) && isObject(received) && Array.isArray(expected) === Array.isArray(received)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(received)])) {
      const difference = firstDifference(expected[name], received[name], `${place}.${name}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (Object.is(expected, received)) return null;
  return `${place}: expected ${shorten(expected)}, got ${shorten(received)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}
