/** Copies an object without its null members, because some clients send null for omitted arguments. */
export function withoutNulls(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
