declare const described: unique symbol;

/** The JSON text of an API object, exactly as `JSON.stringify` returns it. */
export type JsonOf<T> = string & { readonly [described]: T };

/** The placeholder in a stored text for a value that is inserted when the row is read. JSON text contains no line breaks. */
const SLOT = '\n';
/** A value that no field can have, because PostgreSQL cannot store it. */
const MARK = '\0';
const MARK_AS_JSON = JSON.stringify(MARK);
const TOO_OLD =
  'the stored text of an object has other slots than its serializer: run "operate rebuild-texts"';

/** Returns the JSON text of an object. */
export function jsonOf<T extends object>(object: T): JsonOf<T> {
  return JSON.stringify(object) as JsonOf<T>;
}

/** Returns the JSON text of an object, with slots for the values of some of its fields. */
export function textWithSlots<T extends object>(object: T, slots: readonly (keyof T)[]): string {
  const marked = { ...object } as Record<string, unknown>;
  for (const field of slots as readonly string[]) marked[field] = MARK;
  return JSON.stringify(marked).replaceAll(MARK_AS_JSON, SLOT);
}

/**
 * Fills the slots of a text with values, in the order of the fields of the object.
 *
 * @throws TypeError if the text has another number of slots: it was stored before a field became one, or ceased to be one.
 */
export function fillSlots<T>(text: string, values: readonly unknown[]): JsonOf<T> {
  let filled = '';
  let start = 0;
  for (const value of values) {
    const slot = text.indexOf(SLOT, start);
    if (slot === -1) throw new TypeError(TOO_OLD);
    // A date gives the same text without `JSON.stringify`, which takes twice as long.
    const json = value instanceof Date ? `"${value.toISOString()}"` : JSON.stringify(value);
    filled += text.slice(start, slot) + json;
    start = slot + SLOT.length;
  }
  if (text.includes(SLOT, start)) throw new TypeError(TOO_OLD);
  return (filled + text.slice(start)) as JsonOf<T>;
}
