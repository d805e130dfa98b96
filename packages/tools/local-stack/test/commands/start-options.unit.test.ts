import { describe, expect, test } from '@jest/globals';
import { readStartOptions, UsageError } from '../../src/commands/start-options.ts';

describe('readStartOptions', () => {
  test('has defaults', () => {
    expect(readStartOptions([], {})).toEqual({
      demo: true,
      fresh: false,
      install: true,
      reload: false,
      port: 3000,
      tickMs: 15_000,
      databaseUrl: undefined,
      redisUrl: undefined,
    });
  });

  test('reads flags and variables', () => {
    const environment = { PORT: '0', DISPATCH_TICK_MS: '100', REDIS_URL: 'redis://127.0.0.1:1' };
    expect(readStartOptions(['--no-demo', '--fresh', '--no-install', '--reload'], environment)).toMatchObject(
      {
        demo: false,
        fresh: true,
        install: false,
        reload: true,
        port: 0,
        tickMs: 100,
        redisUrl: 'redis://127.0.0.1:1',
      },
    );
  });

  test.each([['--nodemo'], ['extra']])('rejects %s and prints the usage with every flag', (argument) => {
    const read = () => readStartOptions([argument], {});
    expect(read).toThrow(UsageError);
    expect(read).toThrow(
      /usage: pnpm start[\s\S]*--no-demo {2}[\s\S]*--fresh {2}[\s\S]*--no-install {2}[\s\S]*--reload {2}/,
    );
  });
});
