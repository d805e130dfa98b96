import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { makePostmanCollection } from './postman-collection.ts';

/** The root of the checkout. */
const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * The guides for consumers, in the order of the navigation: `docs/<name>.md` in the repository, and
 * `/api/v1/docs/guides/<name>` on the site. Guides for operators are in `docs/operators` and are not published here.
 */
export const GUIDE_GROUPS: readonly { title: string; names: readonly string[] }[] = [
  {
    title: 'Read',
    names: [
      'first-sync',
      'client',
      'client-python',
      'generated-clients',
      'loaders',
      'agents',
      'agents-oauth',
      'automations',
    ],
  },
  { title: 'Webhooks', names: ['verifying-signatures', 'receiving-locally', 'deliveries'] },
  { title: 'Look up', names: ['semantics', 'erasure', 'reference/errors'] },
  { title: 'Manage', names: ['console'] },
  { title: 'Put data in', names: ['capture'] },
];

/** Files in `docs` that are not pages, offered as downloads. */
const DATA = ['docs/capture-records.schema.json'];
/** The path of the Postman collection on the site. The build creates it. */
const POSTMAN_COLLECTION = 'files/deal-signals.postman_collection.json';

/** The pages that come from Markdown files: the path on the site by the path in the repository. */
const PAGE_OF_FILE: ReadonlyMap<string, string> = new Map([
  ...GUIDE_GROUPS.flatMap(({ names }) => names).map((name): [string, string] => [
    `docs/${name}.md`,
    `guides/${name}`,
  ]),
  ['docs/reference/events.md', 'events'],
  ['docs/examples/README.md', 'examples'],
  ['CHANGELOG.md', 'changelog'],
]);

/** A page of the site. */
export interface Page {
  /** Its path below `/api/v1/docs/`, without a leading slash. */
  path: string;
  title: string;
  /** The first sentence, as plain text. */
  summary: string;
  /** The page as it is published next to the HTML. Links are relative, so they are valid in both. */
  markdown: string;
}

/** The published site. */
export interface Site {
  pages: readonly Page[];
  /** The files that can be downloaded, by their paths below `/api/v1/docs/`. */
  files: ReadonlyMap<string, string>;
  examples: readonly ExampleGroup[];
}

/** The examples of a folder: their paths below `/api/v1/docs/`. */
export interface ExampleGroup {
  title: string;
  paths: readonly string[];
}

/** Reads the published pages and files from the repository. */
export async function readSite(): Promise<Site> {
  const programs = await listPrograms();
  const shown = new Map([...programs, ...DATA].map((file) => [file, sitePathOf(file)]));
  const fromFiles = await Promise.all(
    Array.from(PAGE_OF_FILE, async ([file, to]) =>
      pageOf(to, publish(await withPrograms(await readText(file), file, programs), file, to, shown)),
    ),
  );
  const examples = groupsOf(programs.map(sitePathOf));
  const pages = [
    guideList(fromFiles),
    ...fromFiles.map((page) => (page.path === 'examples' ? withExampleList(page, examples) : page)),
    ...(await Promise.all(programs.map(examplePage))),
  ];
  const files = await Promise.all(
    Array.from(shown.keys(), async (file): Promise<[string, string]> => [
      downloadPathOf(file),
      await readText(file),
    ]),
  );
  files.push([POSTMAN_COLLECTION, await makePostmanCollection()]);
  return { pages, files: new Map(files), examples };
}

/** Returns the path of the page about a file of `docs/examples`, or of the file itself for data. */
function sitePathOf(file: string): string {
  return file.endsWith('.json') ? downloadPathOf(file) : `examples/${withoutFolders(file)}`;
}

const downloadPathOf = (file: string): string => `files/${withoutFolders(file)}`;
const withoutFolders = (file: string): string => file.replace(/^docs\/(examples\/)?/, '');

function readText(file: string): Promise<string> {
  return readFile(path.join(ROOT, file), 'utf8');
}

/** Lists the programs and configurations of `docs/examples`, without the settings of our own type checker. */
async function listPrograms(): Promise<string[]> {
  const names = await readdir(path.join(ROOT, 'docs/examples'), { recursive: true });
  return names
    .filter((name) => /\.(mts|py|go|yaml)$/.test(name))
    .map((name) => `docs/examples/${name.replaceAll(path.sep, '/')}`)
    .toSorted();
}

/** A paragraph that consists of one link. */
const LONE_LINK = /^\[[^\]]+\]\(([^)\s]+)\)$/;

/**
 * Returns the text of a Markdown file with its example programs included. Where a paragraph consists of a link to an example,
 * the text of that file follows. So a program exists only once, and a reader of the repository gets the link.
 *
 * @param file path of the Markdown file, relative to the root of the repository.
 * @param programs the files that may be included.
 */
export async function withPrograms(
  source: string,
  file: string,
  programs: readonly string[],
): Promise<string> {
  const paragraphs = source.trimEnd().split('\n\n');
  const shown = paragraphs.map(async (paragraph) => {
    const [, href = ''] = LONE_LINK.exec(paragraph) ?? [];
    const program = path.posix.join(path.posix.dirname(file), href);
    if (!programs.includes(program)) return paragraph;
    return `${paragraph}\n\n${codeBlock(program, await readText(program))}`;
  });
  return `${(await Promise.all(shown)).join('\n\n')}\n`;
}

function codeBlock(file: string, text: string): string {
  return `~~~~${path.extname(file).slice(1)}\n${text.trimEnd()}\n~~~~`;
}

/** Code, or a link. Text in code that looks like a link is not one. */
const CODE_OR_LINK = /^(`{3,}|~{3,}).*?^\1$|`[^`\n]+`|\[([^\]]+)\]\(([^)\s]+)\)/gms;

/**
 * Rewrites the links of a Markdown file for the site.
 *
 * @param file path of the Markdown file, relative to the root of the repository. Its links are resolved from there.
 * @param to path of its page on the site.
 * @param shown the site paths of other files, by their paths in the repository.
 */
export function publish(
  source: string,
  file: string,
  to: string,
  shown: ReadonlyMap<string, string>,
): string {
  return source.replaceAll(CODE_OR_LINK, (match, _fence, text?: string, href?: string) => {
    if (text === undefined || href === undefined) return match;
    const target = resolveLink(href, file, to, shown);
    return target === null ? `${text} (in the repository)` : `[${text}](${target})`;
  });
}

/** Returns the target of a link on the site, relative to a page; null for files that are only in the repository. */
function resolveLink(
  href: string,
  from: string,
  to: string,
  shown: ReadonlyMap<string, string>,
): string | null {
  if (/^(#|https?:)/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const file = path.posix.join(path.posix.dirname(from), target).replace(/\/$/, '');
  const relative = (sitePath: string) => path.posix.relative(path.posix.dirname(to), sitePath);
  const hash = fragment === undefined ? '' : `#${fragment}`;
  const page = PAGE_OF_FILE.get(file);
  if (page !== undefined) return `${relative(page)}.md${hash}`;
  const sitePath = shown.get(file);
  if (sitePath !== undefined) return relative(sitePath) + (sitePath.startsWith('files/') ? '' : '.md');
  // All examples are on one page, so a link to a folder leads there.
  if (file.startsWith('docs/examples')) return `${relative('examples')}.md#${path.posix.basename(file)}`;
  return null;
}

/** Reads title and summary of a page from its text. */
function pageOf(sitePath: string, markdown: string): Page {
  const [, title = ''] = /^# (.*)$/m.exec(markdown) ?? [];
  const [, paragraph = ''] = /^# .*\n\n([^\n]+(?:\n[^\n]+)*)/m.exec(markdown) ?? [];
  const text = paragraph.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/\s+/g, ' ');
  const plain = (marked: string) => marked.replaceAll(/[`*]/g, '');
  return { path: sitePath, title: plain(title), summary: plain(text.replace(/(?<=\.)\s.*/, '')), markdown };
}

/** Returns the page with the list of guides, each with its first sentence. */
function guideList(pages: readonly Page[]): Page {
  const groups = GUIDE_GROUPS.map(({ title, names }) => {
    const lines = names.map((name) => {
      const page = pages.find((one) => one.path === `guides/${name}`);
      return `- [${page?.title}](guides/${name}.md): ${page?.summary}`;
    });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return pageOf('guides', `# Guides\n\nHow to use the API, by what you want to do.\n\n${groups.join('\n')}`);
}

function withExampleList(page: Page, groups: readonly ExampleGroup[]): Page {
  const lists = groups.map(({ title, paths }) => {
    const lines = paths.map((one) => `- [${path.posix.basename(one)}](${one}.md)`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const data = [...DATA.map(downloadPathOf), POSTMAN_COLLECTION].map(
    (file) => `- [${path.posix.basename(file)}](${file})`,
  );
  return { ...page, markdown: `${page.markdown}\n${lists.join('\n')}\n## data\n\n${data.join('\n')}\n` };
}

/** Returns the page of an example file, with its text. */
async function examplePage(file: string): Promise<Page> {
  const sitePath = sitePathOf(file);
  const download = path.posix.relative(path.posix.dirname(sitePath), downloadPathOf(file));
  const name = path.posix.basename(file);
  const markdown = `# ${name}\n\n[The file itself](${download}), to download.\n\n${codeBlock(file, await readText(file))}\n`;
  return { path: sitePath, title: withoutFolders(file), summary: '', markdown };
}

function groupsOf(paths: readonly string[]): ExampleGroup[] {
  const titles = new Set(paths.map((one) => one.split('/')[1] ?? ''));
  return Array.from(titles, (title) => ({
    title,
    paths: paths.filter((one) => one.startsWith(`examples/${title}/`)),
  }));
}
