import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { buildGuides } from '@deal-signals/local-stack/processes/build-sites';
import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { GUIDE_GROUPS, readSite, type Site } from '../../../../../apps/guides/src/pages.ts';

// The built site, as the API serves it.

const SITE = path.join(REPOSITORY_ROOT, 'apps/guides/dist/site');
const DOCS = '/api/v1/docs';

let site: Site;
/** All served files, by their paths. */
let files: string[];
/** The HTML of the pages, by their paths below `DOCS`. The front page has an empty path. */
const pages = new Map<string, string>();

const read = (file: string) => readFileSync(path.join(SITE, file), 'utf8');

/** Returns the text of HTML, with one space for each gap. */
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&ZeroWidthSpace;', '')
    .replaceAll('&amp;', '&');

/** Returns the texts of the code blocks in a page. */
const codeIn = (html: string) =>
  Array.from(html.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs), ([, code = '']) =>
    textOf(code).trimEnd(),
  );

beforeAll(async () => {
  await buildGuides();
  site = await readSite();
  files = readdirSync(SITE, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.html') && name !== '404.html')) {
    pages.set(file === 'index.html' ? '' : `/${file.slice(0, -'.html'.length)}`, read(file));
  }
});

test('the site has the reference, the guides for consumers, the events, the examples and the changelog', () => {
  const guides = GUIDE_GROUPS.flatMap(({ names }) => names).map((name) => `/guides/${name}`);
  const examples = Array.from(pages.keys()).filter((page) => page.startsWith('/examples/'));
  expect(Array.from(pages.keys()).toSorted()).toEqual(
    ['', '/guides', ...guides, '/events', '/changelog', '/examples', ...examples].toSorted(),
  );
  expect(examples).toContain('/examples/receiver/verify-signature.mts');
  // Caches of Python and this repository's own settings are not examples.
  expect(files.filter((file) => /pycache|tsconfig|README/.test(file))).toEqual([]);
});

test('the pages have no broken links', () => {
  const dead: string[] = [];
  for (const [page, text] of pages) {
    for (const [, target = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|data:)/.test(target) || target === '/api/v1/openapi.json') continue;
      const { pathname, hash } = new URL(target, `http://docs${DOCS}${page}`);
      const linked = pathname.slice(DOCS.length).replace(/^\/$/, '');
      const isThere =
        pathname.startsWith(DOCS) &&
        (pages.has(linked) || files.includes(linked.slice(1))) &&
        (hash === '' || pages.get(linked)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`) === true);
      if (!isThere) dead.push(`${page}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('the Markdown beside the pages has no broken links', () => {
  const dead = site.pages.flatMap(({ path: page, markdown }) => {
    expect(read(`${page}.md`)).toBe(markdown);
    return Array.from(markdown.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => !files.includes(path.posix.join(path.posix.dirname(page), target)))
      .map((target) => `${page}: ${target}`);
  });
  expect(dead).toEqual([]);
  const index = Array.from(read('llms.txt').matchAll(/\]\(([^)]+)\)/g), ([, target = '']) => target);
  expect(index.filter((target) => target !== '/api/v1/openapi.json')).toEqual(
    expect.arrayContaining([`${DOCS}/guides/first-sync.md`, `${DOCS}/events.md`, `${DOCS}/llms-full.txt`]),
  );
  for (const target of index.filter((one) => one.startsWith(DOCS))) {
    expect(files).toContain(target.slice(DOCS.length + 1));
  }
});

test('the full text contains every guide, and every example once', () => {
  const whole = read('llms-full.txt');
  for (const { path: page, markdown } of site.pages) {
    const isGuide = page.startsWith('guides/') || ['events', 'changelog'].includes(page);
    if (isGuide) expect([page, whole.includes(markdown)]).toEqual([page, true]);
  }
  for (const [file, text] of site.files) {
    if (file.endsWith('.json')) continue;
    expect([file, whole.split(text.trimEnd()).length]).toEqual([file, 2]);
  }
});

test('every example is shown completely in the guide that links to it in a paragraph of its own', () => {
  const guides = Array.from(pages).filter(([page]) => page.startsWith('/guides/'));
  const codes = guides.map(([page, text]) => [page, codeIn(text)] as const);
  for (const [file, text] of site.files) {
    if (file.endsWith('.json')) continue;
    const shownBy = codes.filter(([, blocks]) => blocks.includes(text.trimEnd())).map(([page]) => page);
    expect([file, shownBy]).toEqual([file, [expect.any(String)]]);
    const own = pages.get(file.replace('files/', '/examples/')) ?? '';
    expect([file, codeIn(own)]).toEqual([file, [text.trimEnd()]]);
    expect(read(file)).toBe(text);
  }
});

test('the Postman collection, which is built with the site, has a folder for every subject', () => {
  const published = site.files.get('files/deal-signals.postman_collection.json') ?? '{}';
  const { item } = JSON.parse(published) as { item: { name: string; item: object[] }[] };
  expect(item.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Calls', 'Decision Rooms', 'API keys']),
  );
  expect(files).toContain('files/deal-signals.postman_collection.json');
});

test('the pages contain nothing inline that their policy forbids, and each anchor once', () => {
  for (const [page, text] of [...pages, ['404', read('404.html')] as const]) {
    expect([page, text.match(/<style|<script(?![^>]* src=)|style="|\son\w+="/)]).toEqual([page, null]);
    const ids = Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect([page, ids.length]).toEqual([page, new Set(ids).size]);
  }
  // The contents of pages that a script renders.
  const scripts = files.filter((file) => /^assets\/[^/]*\.md\.[^/]*\.js$/.test(file));
  expect(scripts.length).toBeGreaterThan(pages.size);
  for (const file of scripts) expect([file, read(file).match(/<script|style=/)]).toEqual([file, null]);
});

test('code is highlighted and can be focused with the keyboard', () => {
  const page = pages.get('/guides/client-python') ?? '';
  expect(page).toMatch(/<pre[^>]* tabindex="0"/);
  const [, name = ''] = /<span class="(c-\w+)">import<\/span>/.exec(page) ?? [];
  const colours = files.find((file) => /^assets\/colours\.\w+\.css$/.test(file)) ?? '';
  expect(read(colours)).toContain(`.${name}{--shiki-light:#`);
});

describe('the page of events', () => {
  test.each(EVENT_TYPES)('shows the fields and an example of %s', (type) => {
    const [, section = ''] = (pages.get('/events') ?? '').split(`<h2 id="${type}"`);
    const own = section.split('<h2 id=')[0] ?? '';
    const [example = '{}'] = codeIn(own);
    const event = JSON.parse(example) as { type: string; data: object };
    expect(event.type).toBe(type);
    for (const field of Object.keys(event.data)) expect(own).toContain(`<code>${field}</code>`);
  });

  test('lists fields of nested objects, lists and nullable values by their paths', () => {
    for (const field of ['owner.email', 'participants[].name', 'document.status', 'deal.status']) {
      expect(pages.get('/events')).toContain(`<code>${field}</code>`);
    }
  });
});
