import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { shorten } from '../../src/mcp/shorten.ts';
import { PUBLISHED_TOOLS, TOOLS } from '../../src/mcp/tools.ts';

test('the list of tools leaves the context of a model to the answers', () => {
  expect(JSON.stringify({ tools: PUBLISHED_TOOLS }).length).toBeLessThan(20_000);
});

describe('docs/agents.md', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/agents.md'), 'utf8');

  test('lists every tool with its scope, and the arguments that it names', () => {
    const rows = Array.from(page.matchAll(/^\| `(\w+)` +\| (?:`([\w:]+)`|any of these) +\| (.*) \|$/gm));
    expect(rows.map(([, name, scope = null]) => [name, scope])).toEqual(
      TOOLS.map(({ name, scope }) => [name, scope]),
    );
    for (const [index, [, name, , text = '']] of rows.entries()) {
      const known = Object.keys(TOOLS[index]?.input.shape ?? {});
      const named = Array.from(text.matchAll(/`(\w+)`/g), ([, argument]) => argument);
      expect([name, named.filter((argument) => !known.includes(argument ?? ''))]).toEqual([name, []]);
    }
  });

  test('shows configurations and a result that are valid JSON', () => {
    const shown = Array.from(page.matchAll(/^```json\n([\s\S]*?)^```/gm), ([, text = '']) =>
      JSON.parse(text),
    );
    const configurations = shown.filter((block) => 'mcpServers' in block);
    expect(configurations.map(({ mcpServers }) => Object.keys(mcpServers['deal-signals']))).toEqual([
      ['type', 'url', 'headers'],
      ['command', 'args', 'env'],
    ]);
    const [{ result }] = shown.filter((block) => 'jsonrpc' in block);
    const overview = TOOLS.find(({ name }) => name === 'pipeline_overview');
    expect(Object.keys(result.structuredContent)).toEqual([
      'notice',
      'asOf',
      ...Object.keys(overview?.output.shape ?? {}),
    ]);
  });
});

describe('a record that is too long', () => {
  const shortened = (record: object, maxCharacters: number) => shorten(JSON.stringify(record), maxCharacters);

  test('is unchanged if it fits', () => {
    const record = { id: 'a', text: 'x'.repeat(90) };
    expect(shortened(record, 200)).toEqual(record);
  });

  test('marks omissions in texts, lists and objects, and keeps its own fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, n]));
    const record = { id: 'a', text: 'x'.repeat(2_500), list: Array(60).fill(7), nested: fields, ...fields };
    const shown = shortened(record, 3_600);
    const text = `${'x'.repeat(2_000)}… (500 more characters)`;
    expect(shown).toMatchObject({ shortened: true, id: 'a', text });
    expect((shown['list'] as unknown[]).slice(49)).toEqual([7, '… (10 more)']);
    expect(Object.entries(shown['nested'] as object).slice(49)).toEqual([
      ['f49', 49],
      ['…', '10 more fields'],
    ]);
    expect(shown['f59']).toBe(59);
  });

  test('keeps the important fields of an object of the API', () => {
    const room = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`fact${n}`, n]));
    const shown = shortened({ id: 'a', room, list: Array(1_000).fill('x'.repeat(90)) }, 1_000);
    expect(shown).toMatchObject({ shortened: true, room });
  });

  test('does not end in half a character', () => {
    const shown = shortened({ text: `${'x'.repeat(1_999)}😀${'y'.repeat(1_000)}` }, 2_500);
    expect(shown['text']).toBe(`${'x'.repeat(1_999)}… (1002 more characters)`);
  });

  const wide = (fields: number) =>
    Object.fromEntries(Array.from({ length: fields }, (_, n) => [`"${n}"`, [n]]));
  test.each<[string, string]>([
    ['nested deep', `{"id":"a","metadata":${'['.repeat(8_000)}${']'.repeat(8_000)}}`],
    ['wide', JSON.stringify({ id: 'a', metadata: wide(9_000) })],
    ['full of its own fields', JSON.stringify({ id: 'a', ...wide(2_000) })],
    ['full of characters that JSON escapes', JSON.stringify({ id: 'a', text: '"'.repeat(50_000) })],
  ])('fits if it is %s', (_name, text) => {
    const shown = shorten(text, 2_000);
    expect(JSON.stringify(shown).length).toBeLessThanOrEqual(2_000);
    expect([shown['shortened'], shown['id']]).toEqual([true, 'a']);
  });
});
