import { html, type Html } from './html.ts';
import { DESCRIPTION_PATH, DOCS_PATH } from './places.ts';

const BREAK = html`<wbr />`;

/** The parts of the documentation, as its header lists them. */
const PARTS = [
  { name: 'Reference', href: DOCS_PATH },
  { name: 'Guides', href: `${DOCS_PATH}/guides` },
  { name: 'Events', href: `${DOCS_PATH}/events` },
  { name: 'Examples', href: `${DOCS_PATH}/examples` },
  { name: 'Changelog', href: `${DOCS_PATH}/changelog` },
  { name: 'OpenAPI', href: DESCRIPTION_PATH },
] as const;

/** The name of a part. */
export type Part = (typeof PARTS)[number]['name'];

/** An entry of a list of links next to the content. */
export interface Entry {
  href: string;
  text: string;
  isCurrent?: boolean;
  /** Whether it belongs to the entry above it. */
  isNested?: boolean;
}

/** The links next to the content of a page. */
export interface Sidebar {
  label: string;
  groups: readonly { title: string; entries: readonly Entry[] }[];
}

/**
 * Renders a page that needs no script.
 *
 * @param page.sidebar what else is in this part of the documentation.
 * @param page.contents the sections of this page.
 */
export function renderPage(page: {
  title: string;
  part: Part;
  stylesheet: string;
  sidebar?: Sidebar;
  contents?: readonly Entry[];
  content: Html;
}): string {
  const { contents = [], sidebar } = page;
  return renderDocument({
    ...page,
    body: html`<a class="skip" href="#content">Skip to the content</a>
      ${renderHeader(page.part)}
      <div class="columns">
        ${sidebar && renderSidebar(sidebar)} ${contents.length > 1 && renderFoldedContents(contents)}
        <main id="content">${page.content}</main>
        ${
          contents.length > 1 &&
          html`<nav class="contents" aria-label="On this page">
            <h2>On this page</h2>
            ${renderEntries(contents)}
          </nav>`
        }
      </div>`,
  });
}

/** Renders the document around a body, with nothing inline, which the security policy forbids. */
export function renderDocument(page: {
  title: string;
  stylesheet: string;
  script?: string;
  body: Html;
}): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · Deal Signals</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${page.stylesheet}" />
        ${page.script !== undefined && html`<script type="module" src="${page.script}"></script>`}
      </head>
      <body>
        ${page.body}
      </body>
    </html>`.text;
}

/** Renders the header that all pages share. */
export function renderHeader(current: Part): Html {
  return html`<header class="site-header">
    <a class="site-name" href="${DOCS_PATH}">Deal Signals</a>
    <nav aria-label="Documentation">
      ${PARTS.map(
        ({ name, href }) =>
          html`<a href="${href}" ${name === current && html`aria-current="page"`}>${name}</a> `,
      )}
    </nav>
  </header>`;
}

/** On narrow screens the list is folded, so it is rendered twice and the stylesheet shows one of them. */
function renderSidebar({ label, groups }: Sidebar): Html {
  const lists = groups.map(
    ({ title, entries }) =>
      html`<h2>${title}</h2>
        ${renderEntries(entries)}`,
  );
  return html`<nav class="sidebar" aria-label="${label}">${lists}</nav>
    <details class="folded">
      <summary>${label}</summary>
      <nav aria-label="${label}, folded">${lists}</nav>
    </details>`;
}

function renderFoldedContents(contents: readonly Entry[]): Html {
  return html`<details class="folded folded-contents">
    <summary>On this page</summary>
    <nav aria-label="On this page, folded">${renderEntries(contents)}</nav>
  </details>`;
}

function renderEntries(entries: readonly Entry[]): Html {
  return html`<ul>
    ${entries.map(
      ({ href, text, isCurrent, isNested }) =>
        html`<li ${isNested === true && html`class="nested"`}>
          <a href="${href}" ${isCurrent === true && html`aria-current="page"`}>${breakable(text)}</a>
        </li>`,
    )}
  </ul>`;
}

/** Lets long names, such as those of events, break after their punctuation. */
function breakable(text: string): Html {
  return html`${text.split(/(?<=[._-])/).flatMap((part, index) => (index === 0 ? part : [BREAK, part]))}`;
}
