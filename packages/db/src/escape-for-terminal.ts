// What was captured, and what a database says of it, comes from strangers, and a terminal obeys control characters.

/** A text in one line for people. */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

/** A text in the lines that it has, such as the stack of an error. */
export function escapeLinesForTerminal(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}
