import { expect, test } from '@jest/globals';
import { createTurns } from '../src/attempts/turns.ts';

const everythingReady = () => new Promise((resolve) => setImmediate(resolve));

test('what has the same key runs one after the other, the rest side by side, whatever fails', async () => {
  const inTurn = createTurns();
  const begun: string[] = [];
  /** What ends a run that has begun. */
  const end: Record<string, (error?: Error) => void> = {};
  const run = (key: string, name: string) =>
    inTurn(key, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        end[name] = (error) => (error === undefined ? resolve(name) : reject(error));
      });
    });
  const [first, second, third, other] = [run('a', '1'), run('a', '2'), run('a', '3'), run('b', 'other')];
  await everythingReady();
  expect(begun).toEqual(['1', 'other']);
  end['other']?.();
  expect(await other).toBe('other');
  expect(begun).toEqual(['1', 'other']);
  end['1']?.(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await everythingReady();
  expect(begun).toEqual(['1', 'other', '2']);
  end['2']?.();
  expect(await second).toBe('2');
  await everythingReady();
  end['3']?.();
  expect(await third).toBe('3');
});
