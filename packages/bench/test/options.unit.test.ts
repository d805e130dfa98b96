import { describe, expect, test } from '@jest/globals';
import { GROUPS, GROWTH_GROUPS, readOptions, USAGE } from '../src/options.ts';

describe('the options', () => {
  test('have defaults', () => {
    const options = readOptions([]);
    expect(options).toMatchObject({ rounds: 5, sliceMs: 700, events: 30_000, beside: [], json: undefined });
    expect([...(options?.groups ?? [])]).toEqual([...GROUPS]);
  });

  test('choose parts and sizes', () => {
    const options = readOptions(['--only', 'pages,capture', '--rounds', '2', '--json', 'bench.json']);
    expect(options).toMatchObject({
      groups: new Set(['pages', 'capture']),
      rounds: 2,
      json: 'bench.json',
    });
  });

  test('choose growth and its sizes', () => {
    const options = readOptions(['--growth', '--growth-events', '5000']);
    expect(options).toMatchObject({ growthEvents: 5_000, growthFewEvents: 10_000, growthPending: 1_000_000 });
    expect([...(options?.groups ?? [])]).toEqual([...GROWTH_GROUPS]);
    expect(readOptions(['--growth', '--only', 'growth-claims'])?.groups).toEqual(new Set(['growth-claims']));
  });

  test.each([
    [['--only', 'speed'], '--only: unknown part speed'],
    [['--rounds', '0'], '--rounds: must be a whole number from 1'],
    [['--rounds', 'many'], '--rounds: must be a whole number from 1'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j are refused', (args, message) => expect(() => readOptions(args)).toThrow(message));

  test('are explained', () => {
    expect(readOptions(['--help'])).toBeNull();
    for (const name of ['--only', '--rounds', '--bulk', '--json', '--beside', '--growth', '--growth-pending'])
      expect(USAGE).toContain(`  ${name} `);
  });
});
