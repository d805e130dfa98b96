import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Response } from 'express';
import { ConcurrencyLimitError, Queues, type Slot } from '../../../src/http/limits/queues.ts';

const MAX_WAIT_MS = 1_000;

let queues: Queues;
let inside: string[];
let slots: Record<string, Slot>;

beforeEach(() => {
  jest.useFakeTimers();
  queues = new Queues();
  inside = [];
  slots = {};
});
afterEach(() => {
  jest.useRealTimers();
});

/** Makes a request acquire a slot, and records when it has it. */
async function enter(name: string, response = new EventEmitter() as Response, queue = 'a', maxActive = 2) {
  const limits = { maxActive, maxSlots: 3, maxWaiting: 2, maxWaitMs: MAX_WAIT_MS };
  slots[name] = await queues.acquire(queue, { limit: 'key', ...limits }, response);
  inside.push(name);
}

const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

test('admits as many requests at the same time as the limit, and the others in order', async () => {
  const entered = ['1', '2', '3', '4'].map((name) => enter(name));
  await pass();
  expect(inside).toEqual(['1', '2']);
  expect(queues.waiting).toBe(2);
  slots['2']?.release();
  // Releasing twice does not admit a second request.
  slots['2']?.release();
  await pass();
  expect(inside).toEqual(['1', '2', '3']);
  slots['1']?.release();
  await Promise.all(entered);
  expect(queues.waiting).toBe(0);
});

test('queues do not wait for each other', async () => {
  const entered = [
    enter('1', undefined, 'a', 1),
    enter('2', undefined, 'a', 1),
    enter('other', undefined, 'b', 1),
  ];
  await pass();
  expect(inside).toEqual(['1', 'other']);
  slots['other']?.release();
  await pass();
  expect(inside).toEqual(['1', 'other']);
  slots['1']?.release();
  await Promise.all(entered);
  expect(inside).toEqual(['1', 'other', '2']);
});

test('rejects a request when too many wait already', async () => {
  const entered = ['1', '2', '3', '4'].map((name) => enter(name));
  await expect(enter('5')).rejects.toThrow(ConcurrencyLimitError);
  for (const name of ['1', '2']) slots[name]?.release();
  await Promise.all(entered);
  expect(inside).toEqual(['1', '2', '3', '4']);
});

test('a request whose caller disconnects leaves the queue, and is not admitted', async () => {
  for (const name of ['1', '2']) await enter(name);
  const gone = Object.assign(new EventEmitter(), { closed: false });
  const third = enter('3', gone as unknown as Response);
  const fourth = enter('4');
  const refused = expect(third).rejects.toThrow(ConcurrencyLimitError);
  gone.closed = true;
  gone.emit('close');
  expect(queues.waiting).toBe(1);
  await refused;
  slots['1']?.release();
  await fourth;
  expect(inside).toEqual(['1', '2', '4']);
  slots['2']?.release();
  await expect(enter('5', gone as unknown as Response)).rejects.toThrow(ConcurrencyLimitError);
  await enter('6');
  expect(inside.at(-1)).toBe('6');
});

test('rejects a request that has waited too long', async () => {
  for (const name of ['1', '2']) await enter(name);
  const refused = expect(enter('3')).rejects.toThrow(ConcurrencyLimitError);
  await pass(MAX_WAIT_MS - 1);
  expect(queues.waiting).toBe(1);
  await pass(2);
  expect(queues.waiting).toBe(0);
  await refused;
  slots['1']?.release();
  await enter('4');
  expect(inside).toEqual(['1', '2', '4']);
});

test('a resting slot lets another request work, while slots are available', async () => {
  for (const name of ['1', '2']) await enter(name);
  const entered = ['3', '4'].map((name) => enter(name));
  await pass();
  expect(inside).toEqual(['1', '2']);
  slots['1']?.deactivate();
  // Resting twice does not admit a second request.
  slots['1']?.deactivate();
  await pass();
  expect(inside).toEqual(['1', '2', '3']);
  slots['2']?.deactivate();
  await pass();
  // All three slots are held.
  expect(inside).toEqual(['1', '2', '3']);
  slots['1']?.release();
  await Promise.all(entered);
  expect(inside).toEqual(['1', '2', '3', '4']);
});

test('a resting slot works again when another one rests, before requests without a slot', async () => {
  for (const name of ['1', '2']) await enter(name);
  slots['1']?.deactivate();
  await enter('3');
  const fourth = enter('4');
  const resumed = slots['1']?.activate().then(() => inside.push('1 again'));
  await pass();
  expect(inside).toEqual(['1', '2', '3']);
  slots['2']?.deactivate();
  await resumed;
  expect(inside).toEqual(['1', '2', '3', '1 again']);
  slots['3']?.release();
  await fourth;
  expect(inside.at(-1)).toBe('4');
});

test('a slot that is released while it waits to work again takes no capacity', async () => {
  await enter('1', undefined, 'a', 1);
  slots['1']?.deactivate();
  await enter('2', undefined, 'a', 1);
  const refused = expect(slots['1']?.activate()).rejects.toThrow(ConcurrencyLimitError);
  slots['1']?.release();
  slots['2']?.deactivate();
  await refused;
  await enter('3', undefined, 'a', 1);
  expect(inside).toEqual(['1', '2', '3']);
});
