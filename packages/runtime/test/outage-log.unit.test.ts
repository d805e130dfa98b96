import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import winston from 'winston';
import { createOutageLog } from '../src/outage-log.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function openOutageLog() {
  const lines: Record<string, unknown>[] = [];
  const logger = winston.createLogger({ silent: true });
  for (const level of ['warn', 'info'] as const) {
    logger[level] = ((message: string, fields: object) => lines.push({ message, ...fields })) as never;
  }
  const server = { isAvailable: false };
  const log = createOutageLog(logger, 'Redis', async () => {
    if (!server.isAvailable) throw new Error('no response');
  });
  const fail = () => log.failed('queue', new Error('connect ECONNREFUSED'));
  return { lines, log, server, fail };
}

const TROUBLE = {
  message: 'connection trouble',
  server: 'Redis',
  source: 'queue',
  error: 'Error: connect ECONNREFUSED',
};

test('an outage is one line when it begins, a count each minute, and one line when it ends', async () => {
  const { lines, server, fail } = openOutageLog();
  for (let second = 0; second < 90; second += 1) {
    fail();
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(lines).toEqual([TROUBLE, { ...TROUBLE, errors: 61, durationMs: 60_000 }]);
  server.isAvailable = true;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(lines.slice(2)).toEqual([
    { message: 'connection restored', server: 'Redis', errors: 90, durationMs: expect.any(Number) },
  ]);
  await jest.advanceTimersByTimeAsync(60_000);
  fail();
  expect(lines.slice(3)).toEqual([TROUBLE]);
});

test('a server that fails during a probe is not restored', async () => {
  const { lines, server, fail, log } = openOutageLog();
  fail();
  server.isAvailable = true;
  await jest.advanceTimersByTimeAsync(4_999);
  // The probe that begins now has not ended when this failure is reported.
  jest.advanceTimersByTime(1);
  fail();
  await jest.advanceTimersByTimeAsync(0);
  expect(lines).toEqual([TROUBLE]);
  log.stop();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual([TROUBLE]);
});
