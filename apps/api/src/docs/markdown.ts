import Markdown, { type MarkdownIt, type Token } from 'markdown-it';
import { highlight } from './highlight.ts';
import { Html } from './html.ts';
import { resolveLink } from './links.ts';

/** A heading below the title of a page. */
export interface Heading {
  id: string;
  text: string;
  level: 2 | 3;
}

/** What a Markdown file is about, as plain text. */
export interface MarkdownHead {
  /** The heading of the first level. */
  title: string;
  /** The first paragraph. */
  summary: string;
}

/** A Markdown file as HTML. */
export interface RenderedMarkdown extends MarkdownHead {
  content: Html;
  headings: readonly Heading[];
}

/**
 * Renders one of our Markdown files. HTML in it is shown as text.
 *
 * @param source the text of the file.
 * @param file its path from the root of the repository, from which its links are resolved.
 * @param shownFiles as in `resolveLink`.
 */
export function renderMarkdown(
  source: string,
  file: string,
  shownFiles: readonly string[],
): RenderedMarkdown {
  const markdown = new Markdown({ html: false });
  markdown.renderer.rules.fence = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    return highlight(content, info.trim()).text;
  };
  // Wide tables scroll in a box of their own, which the keyboard can reach.
  markdown.renderer.rules.table_open = () =>
    '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>';
  markdown.renderer.rules.table_close = () => '</table></div>';

  const tokens = markdown.parse(source, {});
  const headings: Heading[] = [];
  const slugs = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1]);
      const id = uniqueSlug(text, slugs);
      token.attrSet('id', id);
      if (token.tag === 'h2' || token.tag === 'h3') {
        headings.push({ id, text, level: token.tag === 'h2' ? 2 : 3 });
        addAnchor(markdown, tokens[index + 1], id, text);
      }
    }
    for (const child of token.children ?? []) rewriteLink(child, file, shownFiles);
  }
  return {
    ...headOf(tokens),
    content: new Html(markdown.renderer.render(tokens, markdown.options, {})),
    headings,
  };
}

/** Reads what a Markdown file is about, without rendering it. */
export function readHead(source: string): MarkdownHead {
  return headOf(new Markdown().parse(source, {}));
}

function headOf(tokens: readonly Token[]): MarkdownHead {
  return {
    title: plainText(tokens.find((_token, index) => tokens[index - 1]?.tag === 'h1')),
    summary: plainText(tokens.find((_token, index) => tokens[index - 1]?.type === 'paragraph_open')),
  };
}

/** Adds a link to the heading itself, so that a reader can copy the address of a section. */
function addAnchor(markdown: MarkdownIt, inline: Token | undefined, id: string, text: string): void {
  const [opening, ...rest] = markdown.parseInline('[#](#)', {})[0]?.children ?? [];
  if (inline === undefined || opening === undefined) return;
  opening.attrSet('href', `#${id}`);
  opening.attrSet('class', 'anchor');
  opening.attrSet('aria-label', `Link to “${text}”`);
  inline.children?.push(opening, ...rest);
}

function rewriteLink(token: Token, file: string, shownFiles: readonly string[]): void {
  if (token.type !== 'link_open') return;
  const href = String(token.attrGet('href') ?? '');
  const target = resolveLink(href, file, shownFiles);
  if (target !== null) {
    token.attrSet('href', target);
    return;
  }
  // An `a` without `href` is text. It keeps its place, so that the sentence around it stays whole.
  token.attrs = [
    ['class', 'in-repository'],
    ['title', `${href.split('#')[0]}, in the repository`],
  ];
}

function plainText(inline: Token | undefined): string {
  const texts = (inline?.children ?? []).map((child) => (child.type === 'softbreak' ? ' ' : child.content));
  return texts.join('');
}

/** The id that GitHub gives to a heading, which the links in the Markdown files use. */
function uniqueSlug(text: string, slugs: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
