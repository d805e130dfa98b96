import { EVENT_TYPES } from '@deal-signals/outbox/event-types';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/app.ts';
import { GUIDE_NAMES } from '../../src/docs/guides.ts';
import { highlight } from '../../src/docs/highlight.ts';
import { hasPage, resolveLink } from '../../src/docs/links.ts';
import { readHead, renderMarkdown } from '../../src/docs/markdown.ts';
import { documentForReference } from '../../src/docs/reference.ts';
import { listShownFiles, readText } from '../../src/docs/repository.ts';
import { openSite, type Site } from '../../src/docs/site.ts';
import { withPrograms } from '../../src/docs/shown-programs.ts';
import { describeApi } from '../../src/openapi/document.ts';

const DOCS = '/api/v1/docs';
const SHOWN = ['docs/examples/capture/capture.py', 'docs/deal-signals.postman_collection.json'];

const document = describeApi(ROUTES);
let site: Site;
/** The pages as text, by their paths. */
const pages = new Map<string, string>();

const bodyOf = async (path: string): Promise<string> => {
  const resource = await site.find(path);
  if (resource === null) throw new Error(`${path}: there is no such page`);
  return resource.body.toString();
};

beforeAll(async () => {
  site = await openSite(document);
  for (const path of site.paths) {
    if (!/^\/(assets|files)\//.test(path)) pages.set(path, await bodyOf(path));
  }
});

describe('the pages', () => {
  test('are the reference, the guides, the events, the examples and the changelog', () => {
    const guides = GUIDE_NAMES.map((name) => `/guides/${name}`);
    const paths = Array.from(pages.keys());
    expect(paths).toEqual(
      expect.arrayContaining(['', '/guides', ...guides, '/events', '/changelog', '/examples']),
    );
    expect(paths).toContain('/examples/receiver/verify-signature.mts');
    // What Python leaves behind and our own settings are no examples.
    expect(paths.filter((path) => /pycache|tsconfig|README/.test(path))).toEqual([]);
    expect(site.find('/guides/performance')).toBeNull();
    expect(site.find('/files/../package.json')).toBeNull();
  });

  test('only link to what is there', async () => {
    const dead: string[] = [];
    for (const [path, text] of pages) {
      for (const [, target = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(https?:|data:)/.test(target) || target === '/api/v1/openapi.json') continue;
        const [file = '', fragment] = target.split('#');
        const linked = file === '' ? path : file.slice(DOCS.length);
        const isThere =
          (file === '' || file.startsWith(DOCS)) &&
          site.paths.includes(linked) &&
          (fragment === undefined || pages.get(linked)?.includes(`id="${fragment}"`) === true);
        if (!isThere) dead.push(`${path}: ${target}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('show every example whole, in the guide that links to it in a paragraph of its own', async () => {
    const guides = Array.from(pages).filter(([path]) => path.startsWith('/guides/'));
    for (const file of (await listShownFiles()).filter(hasPage)) {
      const source = highlight((await readText(file)).trimEnd() + '\n', file.split('.').at(-1) ?? '').text;
      const shownBy = guides.filter(([, text]) => text.includes(source)).map(([path]) => path);
      expect([file, shownBy]).toEqual([file, [expect.any(String)]]);
    }
  });

  test('have nothing inline that their policy forbids, and each anchor once', () => {
    for (const [path, text] of pages) {
      expect([path, text.match(/<style|<script(?![^>]* src=)|style="|\son\w+="/)]).toEqual([path, null]);
      const ids = Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
      expect([path, ids.length]).toEqual([path, new Set(ids).size]);
    }
  });
});

describe('Markdown', () => {
  const render = (source: string) => renderMarkdown(source, 'docs/page.md', SHOWN);
  const contentOf = (source: string) => render(source).content.text;

  test('shows HTML as text, in prose and in code', () => {
    const text = contentOf(
      '<script>1</script> <b>\n\n`<i>`\n\n```text\n<u>\n```\n\n```ts\nf<T>("<s>")\n```\n',
    );
    expect(text).not.toMatch(/<(script|b|i|u|T|s)>/);
    expect(text).toContain('&lt;script&gt;1&lt;/script&gt; &lt;b&gt;');
    expect(contentOf('[x](javascript:alert)')).not.toContain('<a');
    expect(highlight('a && <b>', 'unknown').text).toContain('a &amp;&amp; &lt;b&gt;');
  });

  test('gives headings the ids that the links on GitHub have, and lists them', () => {
    const { title, summary, headings, content } = render(
      '# The `title`\n\nFirst\nparagraph, [linked](#a).\n\n## What & why?\n\n## Again\n\n## Again\n\n### A `code_name`\n\n#### Deep\n',
    );
    expect([title, summary]).toEqual(['The title', 'First paragraph, linked.']);
    expect(readHead('# The `title`\n\nFirst.')).toEqual({ title: 'The title', summary: 'First.' });
    expect(headings).toEqual([
      { id: 'what--why', text: 'What & why?', level: 2 },
      { id: 'again', text: 'Again', level: 2 },
      { id: 'again-1', text: 'Again', level: 2 },
      { id: 'a-code_name', text: 'A code_name', level: 3 },
    ]);
    expect(content.text).toContain(
      '<a href="#what--why" class="anchor" aria-label="Link to “What &amp; why?”">',
    );
    expect(content.text).toContain('<h4 id="deep">');
  });

  test('colours code, and puts wide tables into a box that scrolls', () => {
    expect(contentOf('```python\nimport os\n```')).toContain('<span class="hljs-keyword">import</span>');
    expect(contentOf('| a |\n| - |\n| b |')).toMatch(/<div class="scroll"[^>]* tabindex="0"><table>/);
  });

  test('shows a program only where its link is a paragraph', async () => {
    const link = '[capture.py](examples/capture/capture.py)';
    const shown = await withPrograms(`Run ${link}.\n\n${link}\n\n- ${link}\n`, 'docs/page.md', SHOWN);
    const program = (await readText('docs/examples/capture/capture.py')).trimEnd();
    expect(shown).toBe(`Run ${link}.\n\n${link}\n\n~~~~py\n${program}\n~~~~\n\n- ${link}\n`);
  });

  test('shows a link to what is only in the repository as text that says so', () => {
    expect(contentOf('See [performance](performance.md#pace).')).toContain(
      'See <a class="in-repository" title="performance.md, in the repository">performance</a>.',
    );
  });
});

test.each([
  ['#part', 'docs/client.md', '#part'],
  ['https://example.com/a.md', 'docs/client.md', 'https://example.com/a.md'],
  ['first-sync.md', 'docs/client.md', `${DOCS}/guides/first-sync`],
  ['reference/errors.md#errors', 'docs/client.md', `${DOCS}/guides/reference/errors#errors`],
  ['docs/loaders.md', 'CHANGELOG.md', `${DOCS}/guides/loaders`],
  ['../CHANGELOG.md', 'docs/client.md', `${DOCS}/changelog`],
  ['docs/examples/README.md', 'CHANGELOG.md', `${DOCS}/examples`],
  ['../first-sync.md', 'docs/examples/README.md', `${DOCS}/guides/first-sync`],
  ['crm', 'docs/examples/README.md', `${DOCS}/examples#crm`],
  ['examples/crm/', 'docs/client.md', `${DOCS}/examples#crm`],
  ['examples/capture/capture.py', 'docs/client.md', `${DOCS}/examples/capture/capture.py`],
  [
    'deal-signals.postman_collection.json',
    'docs/client.md',
    `${DOCS}/files/deal-signals.postman_collection.json`,
  ],
  ['performance.md#pace', 'docs/client.md', null],
  ['../packages/capture', 'docs/capture.md', null],
])('the link %s in %s leads to %s', (href, from, target) => {
  expect(resolveLink(href, from, SHOWN)).toBe(target);
});

describe('the events', () => {
  test.each(EVENT_TYPES)('%s has its fields and an example', async (type) => {
    const text = await bodyOf('/events');
    const section = text.slice(text.indexOf(`<h2 id="${type}">`)).split('</section>')[0] ?? '';
    const example = /<h3>Example<\/h3>\s*<pre[^>]*><code>(.*?)<\/code>/s.exec(section)?.[1] ?? '';
    const plain = example
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'");
    const event = JSON.parse(plain.replaceAll('&amp;', '&')) as { type: string; data: object };
    expect(event.type).toBe(type);
    for (const field of Object.keys(event.data)) {
      expect(section).toContain(`<code>${field}</code>`);
    }
  });

  test('fields of inner objects, of lists and of what may be null are listed by their paths', async () => {
    const text = await bodyOf('/events');
    for (const path of ['owner.email', 'participants[].name', 'document.status', 'deal.status']) {
      expect(text).toContain(`<code>${path}</code>`);
    }
  });
});

describe('the document of the reference', () => {
  const parameter = (name: string): any => {
    const prepared: any = documentForReference(document);
    return prepared.paths['/calls'].get.parameters.find((one: { name: string }) => one.name === name);
  };

  test('has examples of optional parameters that are not sent', () => {
    expect(parameter('cursor').examples.example['x-disabled']).toBe(true);
    expect(parameter('cursor').examples.example.value).toMatch(/^ey/);
    expect(parameter('kind').examples.example).toEqual({ value: 'demo', 'x-disabled': true });
    expect(parameter('buyer_space_id')).not.toHaveProperty('examples');
  });

  test('leaves the published description as it is', () => {
    const published = document.paths?.['/calls']?.get?.parameters as any[];
    expect(published.some((one) => 'examples' in one)).toBe(false);
    expect((documentForReference(document) as any).components).toBe(document.components);
  });
});
