import path from 'node:path';
import { hasPage } from './links.ts';
import { readText } from './repository.ts';

/** A paragraph that is one link and nothing else. */
const LONE_LINK = /^\[[^\]]+\]\(([^)\s]+)\)$/;

/**
 * Returns the text of a Markdown file with the programs that it shows: where a paragraph is a link to an example and nothing
 * else, the text of that file follows. So a program stands in one place, and a reader on GitHub gets the link.
 *
 * @param file path of the Markdown file from the root of the repository.
 * @param shownFiles the result of `listShownFiles`.
 */
export async function withPrograms(
  source: string,
  file: string,
  shownFiles: readonly string[],
): Promise<string> {
  const paragraphs = source.trimEnd().split('\n\n');
  const shown = paragraphs.map(async (paragraph) => {
    const [, href = ''] = LONE_LINK.exec(paragraph) ?? [];
    const program = path.posix.join(path.posix.dirname(file), href);
    if (!shownFiles.includes(program) || !hasPage(program)) return paragraph;
    const text = await readText(program);
    return `${paragraph}\n\n~~~~${path.extname(program).slice(1)}\n${text.trimEnd()}\n~~~~`;
  });
  return `${(await Promise.all(shown)).join('\n\n')}\n`;
}
