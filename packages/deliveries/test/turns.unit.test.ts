import { expect, test } from '@jest/globals';
import { createTurns } from '../src/attempts/turns.ts';

/** Resolves when everything that can run now has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('tasks with the same key run one after the other, even after a failure, and others at the same time', async () => {
  const inTurn = createTurns();
  const begun: string[] = [];
  /** Ends a task that has begun, by name. */
  const end: Record<string, (error?: Error) => void> = {};
  const run = (key: string, name: string) =>
    inTurn(key, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        end[name] = (error) => (error === undefined ? resolve(name) : reject(error));
      });
    });
  const [first, second, third, other] = [run('a', '1'), run('a', '2'), run('a', '3'), run('b', 'other')];
  await settled();
  expect(begun).toEqual(['1', 'other']);
  end['other']?.();
  expect(await other).toBe('other');
  expect(begun).toEqual(['1', 'other']);
  end['1']?.(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await settled();
  expect(begun).toEqual(['1', 'other', '2']);
  end['2']?.();
  expect(await second).toBe('2');
  await settled();
  end['3']?.();
  expect(await third).toBe('3');
});
