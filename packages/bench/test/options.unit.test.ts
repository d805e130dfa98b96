import { describe, expect, test } from '@jest/globals';
import { GROUPS, GROWTH_GROUPS, readOptions, USAGE } from '../src/options.ts';

describe('the options', () => {
  test('have defaults', () => {
    const options = readOptions([]);
    expect(options).toMatchObject({ rounds: 5, sizes: { events: 30_000 }, jsonFile: undefined });
    expect([...(options?.groups ?? [])]).toEqual([...GROUPS]);
  });

  test('choose parts and sizes', () => {
    const options = readOptions(['--only', 'pages,capture', '--rounds', '2', '--json', 'bench.json']);
    expect(options).toMatchObject({
      groups: new Set(['pages', 'capture']),
      rounds: 2,
      jsonFile: 'bench.json',
    });
  });

  test('choose growth and its sizes', () => {
    const options = readOptions(['--growth', '--growth-events', '5000']);
    expect(options?.growth).toMatchObject({ events: 5_000, fewEvents: 10_000, pending: 1_000_000 });
    expect([...(options?.groups ?? [])]).toEqual([...GROWTH_GROUPS]);
    expect(readOptions(['--growth', '--only', 'growth-keys'])?.groups).toEqual(new Set(['growth-keys']));
  });

  test.each([
    [['--only', 'speed'], '--only: unknown part speed'],
    [['--rounds', '0'], '--rounds: must be a whole number from 1'],
    [['--rounds', 'many'], '--rounds: must be a whole number from 1'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j are refused', (args, message) => expect(() => readOptions(args)).toThrow(message));

  test('are explained', () => {
    expect(readOptions(['--help'])).toBeNull();
    for (const name of ['--only', '--rounds', '--bulk', '--json', '--chart', '--growth', '--growth-pending'])
      expect(USAGE).toContain(`  ${name} `);
  });
});
