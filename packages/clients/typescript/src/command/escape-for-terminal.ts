// Texts come from strangers, and a terminal obeys control characters.
const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** A text in one line for people. */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(OBEYED, ' ');
}

/** A value as JSON in one line, for programs and people: what a terminal obeys is escaped. */
export function jsonForTerminal(value: unknown): string {
  return JSON.stringify(value).replaceAll(OBEYED, (found) =>
    Array.from({ length: found.length }, (_, at) => escaped(found.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
