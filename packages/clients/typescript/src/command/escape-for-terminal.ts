// Texts come from untrusted sources, and a terminal obeys control characters.
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Returns a text in one line, for people. Control characters become spaces. */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, ' ');
}

/** Returns a value as JSON in one line, for programs and people. Control characters are escaped. */
export function jsonForTerminal(value: unknown): string {
  return JSON.stringify(value).replaceAll(CONTROL_CHARACTERS, (found) =>
    Array.from({ length: found.length }, (_, at) => escaped(found.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
