// Captured data, and database messages that quote it, come from untrusted sources, and a terminal interprets control characters.

/** Escapes a text into one line for people. */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

/** Escapes a text and keeps its line breaks, as for the stack of an error. */
export function escapeLinesForTerminal(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}
