/** A text in one line for people. Texts come from strangers, and a terminal obeys control characters. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
