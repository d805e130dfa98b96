import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ApiError, notFound } from '../../../src/http/errors.ts';
import { ConcurrencyLimiter, concurrencyLimits } from '../../../src/http/limits/concurrency-limiter.ts';
import { RequestSlot } from '../../../src/http/limits/request-slot.ts';

const MAX_WAIT_MS = 1_000;
const INTERVAL_MS = 10;
const LIMITED = new ApiError('RATE_LIMITED', 'too many requests');
const UNKNOWN = new ApiError('API_KEY_INVALID', 'unknown key');

let limiter: ConcurrencyLimiter;
let sent: string[];

beforeEach(() => {
  jest.useFakeTimers();
  limiter = new ConcurrencyLimiter({ ...concurrencyLimits(2), maxWaitMs: MAX_WAIT_MS });
  sent = [];
});
afterEach(() => {
  jest.useRealTimers();
});

/** Rejects a request, and records when its response is sent. @returns a function that disconnects its caller. */
function refuse(name: string, error: unknown = LIMITED, credential: string | null = 'a'): () => void {
  const response = new EventEmitter();
  void limiter.delayRefusal(error, credential, response as Response).then(() => sent.push(name));
  return () => response.emit('close');
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('sends the first rejection of a caller immediately, the next ones one by one', async () => {
  for (const name of ['first', 'second', 'third']) refuse(name);
  await pass(0);
  expect(sent).toEqual(['first']);
  expect(limiter.waiting).toBe(2);
  await pass(INTERVAL_MS);
  expect(sent).toEqual(['first', 'second']);
  await pass(INTERVAL_MS);
  expect(sent).toEqual(['first', 'second', 'third']);
  await pass(INTERVAL_MS);
  refuse('after a pause');
  await pass(0);
  expect(sent).toHaveLength(4);
});

test('another caller does not wait', async () => {
  refuse('first');
  refuse('second');
  refuse('of another caller', LIMITED, 'b');
  await pass(0);
  expect(sent).toEqual(['first', 'of another caller']);
});

test('treats all unverified credentials as one caller, regardless of the reason', async () => {
  refuse('first', UNKNOWN, null);
  refuse('second', LIMITED, null);
  await pass(0);
  expect(sent).toEqual(['first']);
});

test('does not delay other errors', async () => {
  refuse('refusal');
  refuse('not found', notFound());
  refuse('failure', new Error('the database is away'));
  await pass(0);
  expect(sent.toSorted()).toEqual(['failure', 'not found', 'refusal']);
});

test('sends a rejection after its delay, and at once if its caller has disconnected', async () => {
  for (let n = 0; n < 2 + MAX_WAIT_MS / INTERVAL_MS; n += 1) refuse(`number ${n}`);
  const disconnect = refuse('of a caller who leaves');
  await pass(0);
  disconnect();
  await pass(0);
  expect(sent).toEqual(['number 0', 'of a caller who leaves']);
  await pass(MAX_WAIT_MS + 1);
  expect(limiter.waiting).toBe(0);
  expect(sent).toHaveLength(3 + MAX_WAIT_MS / INTERVAL_MS);
});

test('delayed rejections hold no slot', async () => {
  const request = async (work: () => Promise<void>) => {
    const response = new EventEmitter() as unknown as Response;
    const slot = new RequestSlot(limiter, { companyId: 1, keyDigest: 'a' }, response);
    await slot
      .read(() => {
        slot.keepUntilSent({ staysActive: false });
        return work();
      })
      .catch((error: unknown) => limiter.delayRefusal(error, 'a', response));
  };
  for (let n = 0; n < 50; n += 1) void request(() => Promise.reject(LIMITED));
  void request(() => Promise.resolve()).then(() => sent.push('served'));
  await pass(0);
  expect(limiter.waiting).toBe(49);
  expect(sent).toEqual(['served']);
  await pass(60_000);
});
