import path from 'node:path';
import { GUIDE_NAMES } from './guides.ts';
import { DOCS_PATH } from './places.ts';

/** The pages that are made from Markdown files, by the paths of these files from the root of the repository. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ...GUIDE_NAMES.map((name): [string, string] => [`docs/${name}.md`, `${DOCS_PATH}/guides/${name}`]),
  ['docs/examples/README.md', `${DOCS_PATH}/examples`],
  ['CHANGELOG.md', `${DOCS_PATH}/changelog`],
]);

/** The path of a shown file below `/examples` and `/files`: without the folders that all of them have in common. */
export function shownPathOf(file: string): string {
  return file.replace(/^docs\/(examples\/)?/, '');
}

/** Whether a shown file has a page. Data is only offered to be downloaded: nobody reads it. */
export function hasPage(file: string): boolean {
  return !file.endsWith('.json');
}

/** The address of a shown file. */
export function addressOf(file: string): string {
  return `${DOCS_PATH}/${hasPage(file) ? 'examples' : 'files'}/${shownPathOf(file)}`;
}

/**
 * Returns the address of what a link in a Markdown file leads to.
 *
 * @param href the link as it is written.
 * @param from path of the Markdown file from the root of the repository.
 * @param shownFiles the files that are shown as they are.
 * @returns null for files that are only in the repository, which readers of the pages may not have.
 */
export function resolveLink(href: string, from: string, shownFiles: readonly string[]): string | null {
  if (href.startsWith('#') || /^https?:/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const file = path.posix.join(path.posix.dirname(from), target).replace(/\/$/, '');
  const hash = fragment === undefined ? '' : `#${fragment}`;
  const page = PAGES.get(file);
  if (page !== undefined) return page + hash;
  if (shownFiles.includes(file)) return addressOf(file);
  // A folder of examples: they are all on one page.
  if (file.startsWith('docs/examples')) return `${DOCS_PATH}/examples#${path.posix.basename(file)}`;
  return null;
}
