import { GUIDE_GROUPS, type Page, type Site } from './pages.ts';

/** Returns the site index for language models (https://llmstxt.org): each page with its first sentence. */
export function llmsIndex({ pages, files }: Site, base: string): string {
  const pathsOfGuides = new Set(GUIDE_GROUPS.flatMap(({ names }) => names.map((name) => `guides/${name}`)));
  const list = (those: readonly Page[]) =>
    those.map(({ path, title, summary }) => `- [${title}](${base}${path}.md)${summary && `: ${summary}`}\n`);
  const guides = pages.filter(({ path }) => pathsOfGuides.has(path));
  const examples = pages.filter(({ path }) => path.startsWith('examples/'));
  const others = pages.filter((page) => page.path !== 'guides' && ![...guides, ...examples].includes(page));
  return [
    '# Deal Signals\n\n',
    '> Feeds of rooms, calls, people, documents and engagement over HTTP, and signed webhooks for what changes.\n\n',
    `The whole text is in [llms-full.txt](${base}llms-full.txt), and the description of every operation in `,
    '[openapi.json](/api/v1/openapi.json).\n',
    '\n## Guides\n\n',
    ...list(guides),
    '\n## Look up\n\n',
    ...list(others),
    '\n## Examples\n\n',
    ...list(examples),
    '\n## Files\n\n',
    ...Array.from(files.keys(), (path) => path)
      .filter((path) => path.endsWith('.json'))
      .map((path) => `- [${path.replace('files/', '')}](${base}${path})\n`),
  ].join('');
}

/** Returns all pages in one text. Example pages are left out, because the guides include them. */
export function llmsFull({ pages }: Site, base: string): string {
  return pages
    .filter(({ path }) => path !== 'guides' && !path.startsWith('examples/'))
    .map(({ path, markdown }) => `<!-- ${base}${path}.md -->\n\n${markdown}`)
    .join('\n');
}
