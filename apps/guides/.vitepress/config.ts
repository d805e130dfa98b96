import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import type { DefaultTheme, MarkdownRenderer, UserConfig } from 'vitepress';
import { llmsFull, llmsIndex } from '../src/for-programs.ts';
import { GUIDE_GROUPS, readSite, type Site } from '../src/pages.ts';
import { writeReference } from '../src/reference.ts';

type StateCore = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0];

const BASE = '/api/v1/docs/';
const DIST = path.resolve(import.meta.dirname, '../dist');
/** The input of VitePress: the Markdown pages that are published next to the HTML. */
const MARKDOWN = path.join(DIST, 'markdown');
const OUTPUT = path.join(DIST, 'building');

/** The content security policy allows no inline styles, so the colours of code become classes. */
const colours = transformerStyleToClass({ classPrefix: 'c-' });
/** The files with the former inline content of VitePress, by their paths below `BASE`. */
const extracted = new Map<string, string>();

export default async function config(): Promise<UserConfig<DefaultTheme.Config>> {
  const site = await readSite();
  await rm(MARKDOWN, { recursive: true, force: true });
  await writeFiles(
    MARKDOWN,
    site.pages.map(({ path: page, markdown }) => [`${page}.md`, markdown]),
  );
  return {
    base: BASE,
    srcDir: MARKDOWN,
    outDir: OUTPUT,
    cacheDir: path.join(DIST, 'cache'),
    lang: 'en',
    title: 'Deal Signals',
    description: 'Guides, events and examples of the Deal Signals integration API',
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    locales: { root: { label: 'English', link: '/guides' } },
    cleanUrls: true,
    // Data that differs between builds is in a separate file, not inline in each page.
    metaChunk: true,
    // The transition would need a style element.
    appearance: { disableTransition: false },
    router: { prefetchLinks: false },
    markdown: {
      // Our Markdown files contain no HTML, so anything that looks like it is shown as text.
      html: false,
      anchor: { slugify },
      // The default colours have too little contrast.
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      codeTransformers: [colours],
      languageAlias: { mts: 'ts' },
      config: (md) => md.core.ruler.push('downloads', loadDownloads),
    },
    themeConfig: themeOf(site),
    transformHead: () => [
      ['link', { rel: 'stylesheet', href: BASE + extract('colours', 'css', colours.getCSS()) }],
    ],
    transformHtml: (html) => withoutInline(html),
    async buildEnd() {
      await writeFiles(OUTPUT, [
        ...extracted,
        ...site.files,
        ...site.pages.map(({ path: page, markdown }): [string, string] => [`${page}.md`, markdown]),
        ['llms.txt', llmsIndex(site, BASE)],
        ['llms-full.txt', llmsFull(site, BASE)],
      ]);
      await writeReference(OUTPUT);
    },
  };
}

function themeOf({ pages, examples }: Site): DefaultTheme.Config {
  const entry = (page: string) => ({
    text: pages.find((one) => one.path === page)?.title ?? page,
    link: `/${page}`,
  });
  return {
    // The reference is not a page of VitePress, so the browser has to load it.
    logoLink: { link: '/api/v1/docs', target: '_self' },
    nav: [
      { text: 'Reference', link: '/', target: '_self' },
      { text: 'Guides', link: '/guides', activeMatch: '/guides' },
      { text: 'Events', link: '/events' },
      { text: 'Examples', link: '/examples', activeMatch: '/examples' },
      { text: 'Changelog', link: '/changelog' },
      { text: 'OpenAPI', link: '/api/v1/openapi.json', target: '_self' },
    ],
    sidebar: {
      '/guides': GUIDE_GROUPS.map(({ title, names }) => ({
        text: title,
        items: names.map((name) => entry(`guides/${name}`)),
      })),
      '/examples': examples.map(({ title, paths }) => ({
        text: title,
        items: paths.map((page) => ({ text: path.posix.basename(page), link: linkTo(page) })),
      })),
    },
    outline: [2, 3],
    search: { provider: 'local' },
  };
}

/** Returns a link in a form that VitePress treats as a file: it adds no base, and the browser loads the page. */
function linkTo(page: string): string {
  return page.endsWith('.yaml') ? BASE + page : `/${page}`;
}

/** Returns the id that a forge gives a heading, because the links in the Markdown files use it. Event types stay unchanged. */
function slugify(text: string): string {
  if (/^[a-z_]+\.[a-z_.]+$/.test(text)) return text;
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** Lets the browser load files, because the router of the site only handles pages. */
function loadDownloads({ tokens }: StateCore): void {
  for (const link of tokens.flatMap(({ children }) => children ?? [])) {
    if (/^(\.\.\/)*files\//.test(link.attrGet('href') ?? '')) link.attrSet('target', '_self');
  }
}

/**
 * Moves the inline scripts of a page into files, and removes two styles: one that a script sets again, and one that `style.css`
 * contains.
 */
function withoutInline(html: string): string {
  return html
    .replaceAll(
      /<script id="([^"]+)">(.*?)<\/script>/gs,
      (_script, id: string, text: string) => `<script src="${BASE}${extract(id, 'js', text)}"></script>`,
    )
    .replaceAll(/ style="(--vp-vh:0px|position:relative);"/g, '');
}

/** Stores a text as a file of the site. @returns its path below `BASE`. */
function extract(name: string, type: 'css' | 'js', text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const file = `assets/${name}.${hash}.${type}`;
  extracted.set(file, text);
  return file;
}

async function writeFiles(folder: string, files: Iterable<readonly [string, string]>): Promise<void> {
  for (const [name, text] of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
