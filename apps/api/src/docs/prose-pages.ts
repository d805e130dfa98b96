import { highlight } from './highlight.ts';
import { GUIDE_GROUPS, GUIDE_NAMES } from './guides.ts';
import { html } from './html.ts';
import { type Entry, renderPage, type Sidebar } from './layout.ts';
import { addressOf, shownPathOf } from './links.ts';
import { type MarkdownHead, readHead, type RenderedMarkdown, renderMarkdown } from './markdown.ts';
import { DOCS_PATH } from './places.ts';
import { readText } from './repository.ts';
import { withPrograms } from './shown-programs.ts';

/** What the pages need that are made from files of the repository. */
export interface ProseSources {
  stylesheet: string;
  /** The result of `listShownFiles`. */
  shownFiles: readonly string[];
  /** What the guides are about, by their names: the result of `readGuides`, which is kept. */
  guides(): Promise<ReadonlyMap<string, MarkdownHead>>;
}

/** Reads what each guide is about. */
export async function readGuides(): Promise<Map<string, MarkdownHead>> {
  const guides = GUIDE_NAMES.map(
    async (name) => [name, readHead(await readText(`docs/${name}.md`))] as const,
  );
  return new Map(await Promise.all(guides));
}

/** Renders the list of guides, each with its first paragraph. */
export async function renderGuideList(sources: ProseSources): Promise<string> {
  const guides = await sources.guides();
  return renderPage({
    title: 'Guides',
    part: 'Guides',
    stylesheet: sources.stylesheet,
    content: html`<h1>Guides</h1>
      ${GUIDE_GROUPS.map(
        ({ title, names }) =>
          html`<h2>${title}</h2>
            <ul class="cards">
              ${names.map(
                (name) =>
                  html`<li>
                    <a href="${DOCS_PATH}/guides/${name}"
                      ><strong>${guides.get(name)?.title}</strong
                      ><span>${firstSentence(guides.get(name)?.summary)}</span></a
                    >
                  </li>`,
              )}
            </ul>`,
      )}`,
  });
}

/** Renders a guide. */
export async function renderGuide(name: string, sources: ProseSources): Promise<string> {
  const guides = await sources.guides();
  const guide = await readMarkdown(`docs/${name}.md`, sources.shownFiles);
  return renderPage({
    title: guide.title,
    part: 'Guides',
    stylesheet: sources.stylesheet,
    sidebar: {
      label: 'Guides',
      groups: GUIDE_GROUPS.map((group) => ({
        title: group.title,
        entries: group.names.map((one) => ({
          href: `${DOCS_PATH}/guides/${one}`,
          text: guides.get(one)?.title ?? one,
          isCurrent: one === name,
        })),
      })),
    },
    contents: contentsOf(guide),
    content: guide.content,
  });
}

/** Renders the changelog. Its headings of the third level, such as "Added", say nothing in a list. */
export async function renderChangelog(sources: ProseSources): Promise<string> {
  const changelog = await readMarkdown('CHANGELOG.md', sources.shownFiles);
  return renderPage({
    title: changelog.title,
    part: 'Changelog',
    stylesheet: sources.stylesheet,
    contents: contentsOf(changelog).filter(({ isNested }) => isNested !== true),
    content: changelog.content,
  });
}

/** Renders the list of examples. */
export async function renderExampleList(sources: ProseSources): Promise<string> {
  const readme = await readMarkdown('docs/examples/README.md', sources.shownFiles);
  const groups = groupsOfFiles(sources.shownFiles);
  return renderPage({
    title: readme.title,
    part: 'Examples',
    stylesheet: sources.stylesheet,
    sidebar: sidebarOfFiles(sources.shownFiles),
    content: html`${readme.content}
    ${groups.map(
      ({ title, files }) =>
        html`<h2 id="${title}">${title}</h2>
          <ul>
            ${files.map((file) => html`<li><a href="${addressOf(file)}">${nameOf(file)}</a></li>`)}
          </ul>`,
    )}`,
  });
}

/** Renders a file of the examples as it is. */
export async function renderExample(file: string, sources: ProseSources): Promise<string> {
  const shown = shownPathOf(file);
  return renderPage({
    title: shown,
    part: 'Examples',
    stylesheet: sources.stylesheet,
    sidebar: sidebarOfFiles(sources.shownFiles, file),
    content: html`<h1>${nameOf(file)}</h1>
      <p><a href="${DOCS_PATH}/files/${shown}">The file itself</a>, to download</p>
      ${highlight(await readText(file), file.slice(file.lastIndexOf('.') + 1))}`,
  });
}

async function readMarkdown(file: string, shownFiles: readonly string[]): Promise<RenderedMarkdown> {
  return renderMarkdown(await withPrograms(await readText(file), file, shownFiles), file, shownFiles);
}

const firstSentence = (text = ''): string => text.replace(/(?<=\.)\s.*/, '');

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

function contentsOf({ headings }: RenderedMarkdown): Entry[] {
  return headings.map(({ id, text, level }) => ({ href: `#${id}`, text, isNested: level === 3 }));
}

function sidebarOfFiles(shownFiles: readonly string[], current?: string): Sidebar {
  return {
    label: 'Examples',
    groups: groupsOfFiles(shownFiles).map(({ title, files }) => ({
      title,
      entries: files.map((file) => ({
        href: addressOf(file),
        text: nameOf(file),
        isCurrent: file === current,
      })),
    })),
  };
}

/** Groups files by their folder. Those outside the examples are data. */
function groupsOfFiles(shownFiles: readonly string[]): { title: string; files: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const file of shownFiles) {
    const [folder, ...rest] = shownPathOf(file).split('/');
    const title = rest.length === 0 ? 'data' : (folder ?? '');
    groups.set(title, [...(groups.get(title) ?? []), file]);
  }
  return Array.from(groups, ([title, files]) => ({ title, files }));
}
