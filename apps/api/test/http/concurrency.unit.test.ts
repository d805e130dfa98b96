import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Response } from 'express';
import { Concurrency, CrowdedError } from '../../src/http/limits/concurrency.ts';

const MAX_WAIT_MS = 1_000;

let concurrency: Concurrency;
let inside: string[];
let leave: Record<string, () => void>;

beforeEach(() => {
  jest.useFakeTimers();
  concurrency = new Concurrency();
  inside = [];
  leave = {};
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lets a request enter a line, and notes when it is let through. */
async function enter(name: string, response = new EventEmitter() as Response, line = 'a', atOnce = 2) {
  const options = { name: line, atOnce, mostWaiting: 2, maxWaitMs: MAX_WAIT_MS };
  leave[name] = await concurrency.enter(options, response);
  inside.push(name);
}

const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

test('as many are let through at the same time as the line says, and the others follow in order', async () => {
  const entered = ['1', '2', '3', '4'].map((name) => enter(name));
  await pass();
  expect(inside).toEqual(['1', '2']);
  expect(concurrency.waiting).toBe(2);
  leave['2']?.();
  // Leaving twice does not let a second one in.
  leave['2']?.();
  await pass();
  expect(inside).toEqual(['1', '2', '3']);
  leave['1']?.();
  await Promise.all(entered);
  expect(concurrency.waiting).toBe(0);
});

test('lines do not wait for each other', async () => {
  const entered = [
    enter('1', undefined, 'a', 1),
    enter('2', undefined, 'a', 1),
    enter('other', undefined, 'b', 1),
  ];
  await pass();
  expect(inside).toEqual(['1', 'other']);
  leave['other']?.();
  await pass();
  expect(inside).toEqual(['1', 'other']);
  leave['1']?.();
  await Promise.all(entered);
  expect(inside).toEqual(['1', 'other', '2']);
});

test('a request is refused when too many wait already', async () => {
  const entered = ['1', '2', '3', '4'].map((name) => enter(name));
  await expect(enter('5')).rejects.toThrow(CrowdedError);
  for (const name of ['1', '2']) leave[name]?.();
  await Promise.all(entered);
  expect(inside).toEqual(['1', '2', '3', '4']);
});

test('a request whose caller disconnects leaves the line, and is not let through', async () => {
  for (const name of ['1', '2']) await enter(name);
  const gone = Object.assign(new EventEmitter(), { closed: false });
  const third = enter('3', gone as unknown as Response);
  const fourth = enter('4');
  const refused = expect(third).rejects.toThrow(CrowdedError);
  gone.closed = true;
  gone.emit('close');
  expect(concurrency.waiting).toBe(1);
  await refused;
  leave['1']?.();
  await fourth;
  expect(inside).toEqual(['1', '2', '4']);
  leave['2']?.();
  await expect(enter('5', gone as unknown as Response)).rejects.toThrow(CrowdedError);
  await enter('6');
  expect(inside.at(-1)).toBe('6');
});

test('a request that has waited long enough is refused', async () => {
  for (const name of ['1', '2']) await enter(name);
  const refused = expect(enter('3')).rejects.toThrow(CrowdedError);
  await pass(MAX_WAIT_MS - 1);
  expect(concurrency.waiting).toBe(1);
  await pass(2);
  expect(concurrency.waiting).toBe(0);
  await refused;
  leave['1']?.();
  await enter('4');
  expect(inside).toEqual(['1', '2', '4']);
});
