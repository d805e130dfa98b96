import { expect, test } from '@jest/globals';
import { createTurns, NoTurnError } from '../src/turns.ts';

/** Resolves when everything that can run now has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for turns by name, and notes who got one. */
function callers(turns = createTurns({ atOnce: 2, mostWaiting: 2 })) {
  const got: string[] = [];
  const ends: Record<string, () => void> = {};
  const ask = async (name: string, giveUp?: AbortSignal, key = 'a') => {
    ends[name] = await turns.take(key, giveUp);
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

test('keys do not wait for each other', async () => {
  const { turns, got, ends, ask } = callers(createTurns());
  const asked = [ask('1'), ask('2'), ask('other', undefined, 'b')];
  await settled();
  expect(got).toEqual(['1', 'other']);
  expect(turns.waiting()).toBe(1);
  ends['other']?.();
  await settled();
  expect(got).toEqual(['1', 'other']);
  ends['1']?.();
  await Promise.all(asked);
  expect(got).toEqual(['1', 'other', '2']);
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
