/** A message of the API about a field: `url: must begin with https://`. */
const ABOUT_FIELD = /^([A-Za-z]+)((?:\.[^:]*)?): (.+)$/s;

/** What is wrong with a form, at its fields where the API names one. */
export interface Problems<Field extends string> {
  fields: Partial<Record<Field, string>>;
  /** What is wrong with none of the fields in particular; null if nothing is. */
  general: string | null;
}

/** Sorts the error of a request to the fields of the form that it came from. `null` is no error. */
export function problemsOf<Field extends string>(error: unknown, names: readonly Field[]): Problems<Field> {
  if (error === null || error === undefined) return { fields: {}, general: null };
  const message = error instanceof Error ? error.message : 'Something unexpected happened.';
  const [, field, within = '', text] = ABOUT_FIELD.exec(message) ?? [];
  const name = names.find((one) => one === field);
  if (name === undefined || text === undefined) return { fields: {}, general: asSentence(message) };
  const fields: Partial<Record<Field, string>> = {};
  // A place in a list says nothing to those who do not see the list.
  const part = /^\.?\d*$/.test(within) ? '' : `${within.slice(1)} `;
  fields[name] = asSentence(part + text);
  return { fields, general: null };
}

/** A message of the API with a capital letter and a full stop. */
export function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}
