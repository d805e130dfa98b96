import { expect, test } from '@jest/globals';
import { createTurns, NoTurnError } from '../src/turns.ts';

/** Resolves when everything that can run now has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('tasks with the same key run one after the other, even after a failure, and others at the same time', async () => {
  const inTurn = createTurns();
  const begun: string[] = [];
  /** Ends a task that has begun, by name. */
  const end: Record<string, (error?: Error) => void> = {};
  const run = (key: string, name: string) =>
    inTurn.run(key, () => {
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

/** Asks for turns by name, and notes who got one. */
function callers(turns = createTurns({ atOnce: 2, mostWaiting: 2 })) {
  const got: string[] = [];
  const ends: Record<string, () => void> = {};
  const ask = async (name: string, giveUp?: AbortSignal) => {
    ends[name] = await turns.take('a', giveUp);
    got.push(name);
  };
  return { turns, got, ends, ask };
}

test('as many have a turn at the same time as the limit says, and the others follow in order', async () => {
  const { turns, got, ends, ask } = callers();
  const asked = ['1', '2', '3', '4'].map((name) => ask(name));
  await settled();
  expect(got).toEqual(['1', '2']);
  expect(turns.waiting()).toBe(2);
  ends['2']?.();
  // Ending a turn twice does not give away a second one.
  ends['2']?.();
  await settled();
  expect(got).toEqual(['1', '2', '3']);
  ends['1']?.();
  await Promise.all(asked);
  expect(turns.waiting()).toBe(0);
});

test('a caller is refused when too many wait already', async () => {
  const { got, ends, ask } = callers();
  const asked = ['1', '2', '3', '4'].map((name) => ask(name));
  await expect(ask('5')).rejects.toThrow(NoTurnError);
  for (const name of ['1', '2']) ends[name]?.();
  await Promise.all(asked);
  expect(got).toEqual(['1', '2', '3', '4']);
});

test('a caller that gives up leaves the line and its place in it, and takes no turn', async () => {
  const { turns, got, ends, ask } = callers(createTurns({ mostWaiting: 2 }));
  await ask('1');
  const impatient = new AbortController();
  const second = ask('2', impatient.signal);
  const third = ask('3');
  impatient.abort();
  await expect(second).rejects.toThrow(NoTurnError);
  const fourth = ask('4');
  expect(turns.waiting()).toBe(2);
  ends['1']?.();
  await third;
  ends['3']?.();
  await fourth;
  expect(got).toEqual(['1', '3', '4']);
  ends['4']?.();
  await expect(ask('5', impatient.signal)).rejects.toThrow(NoTurnError);
  await ask('6');
  expect(got.at(-1)).toBe('6');
});
