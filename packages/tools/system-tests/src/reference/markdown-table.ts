/** A table of Markdown, without spaces that align its columns: a generated page is only displayed. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '-')), ...rows.map(line)].join('');
}
