/** Whether PostgreSQL can store a text and give it back unchanged: it takes neither NUL nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
