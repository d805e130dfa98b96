/** Builds a Markdown table without aligned columns, because generated pages are not read as text. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '-')), ...rows.map(line)].join('');
}
