import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { publish, withPrograms } from '../src/pages.ts';

const PROGRAM = 'docs/examples/capture/capture.py';
const SHOWN = new Map([
  [PROGRAM, 'examples/capture/capture.py'],
  ['docs/capture-records.schema.json', 'files/capture-records.schema.json'],
]);

test('includes a program only where its link is a whole paragraph', async () => {
  const link = '[capture.py](examples/capture/capture.py)';
  const shown = await withPrograms(`Run ${link}.\n\n${link}\n\n- ${link}\n`, 'docs/page.md', [PROGRAM]);
  const program = (await readFile(path.join(import.meta.dirname, '../../..', PROGRAM), 'utf8')).trimEnd();
  expect(shown).toBe(`Run ${link}.\n\n${link}\n\n~~~~py\n${program}\n~~~~\n\n- ${link}\n`);
});

describe('a link', () => {
  test.each([
    ['#part', 'docs/client.md', 'guides/client', '#part'],
    ['https://example.com/a.md', 'docs/client.md', 'guides/client', 'https://example.com/a.md'],
    ['first-sync.md', 'docs/client.md', 'guides/client', 'first-sync.md'],
    ['reference/errors.md#errors', 'docs/client.md', 'guides/client', 'reference/errors.md#errors'],
    ['../deliveries.md', 'docs/reference/errors.md', 'guides/reference/errors', '../deliveries.md'],
    ['reference/events.md', 'docs/client.md', 'guides/client', '../events.md'],
    ['../first-sync.md#a', 'docs/reference/events.md', 'events', 'guides/first-sync.md#a'],
    ['docs/loaders.md', 'CHANGELOG.md', 'changelog', 'guides/loaders.md'],
    ['../CHANGELOG.md', 'docs/client.md', 'guides/client', '../changelog.md'],
    ['docs/examples/README.md', 'CHANGELOG.md', 'changelog', 'examples.md'],
    ['../first-sync.md', 'docs/examples/README.md', 'examples', 'guides/first-sync.md'],
    ['crm', 'docs/examples/README.md', 'examples', 'examples.md#crm'],
    ['examples/crm/', 'docs/client.md', 'guides/client', '../examples.md#crm'],
    ['examples/capture/capture.py', 'docs/client.md', 'guides/client', '../examples/capture/capture.py.md'],
    [
      'capture-records.schema.json',
      'docs/capture.md',
      'guides/capture',
      '../files/capture-records.schema.json',
    ],
  ])('to %s in %s leads from %s to %s', (href, file, to, target) => {
    expect(publish(`See [it](${href}).`, file, to, SHOWN)).toBe(`See [it](${target}).`);
  });

  test.each(['performance.md#pace', '../packages/capture'])(
    'to %s, which is only in the repository, becomes text with a note',
    (href) => {
      expect(publish(`See [it](${href}).`, 'docs/capture.md', 'guides/capture', SHOWN)).toBe(
        'See it (in the repository).',
      );
    },
  );

  test('is not rewritten in code', () => {
    const source = 'Use `[it](x.md)`.\n\n```md\n[it](x.md)\n```\n\n~~~~md\n[it](x.md)\n~~~~\n';
    expect(publish(source, 'docs/capture.md', 'guides/capture', SHOWN)).toBe(source);
  });
});
