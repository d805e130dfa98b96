import { expect, test } from '@jest/globals';
import { withoutRepeatedFailures } from '../src/repeated-failures.ts';

const MINUTES = 60_000;

/** A log whose time the test sets. `write` returns the logged line. */
function openLog() {
  const clock = { ms: 0 };
  const format = withoutRepeatedFailures(() => clock.ms);
  const write = (message: string, fields: object = {}) =>
    format.transform({ level: 'warn', message, ...fields });
  return { clock, write };
}

const REFUSED = {
  error: 'Error: connect ECONNREFUSED',
  stack: 'Error: connect ECONNREFUSED\n    at pool.ts',
};

test('a repeated failure is counted, and logged again after five minutes with the count', () => {
  const { clock, write } = openLog();
  expect(write('job failed', { ...REFUSED, deliveryId: '1' })).toMatchObject({ ...REFUSED, deliveryId: '1' });
  clock.ms = 5 * MINUTES - 1;
  for (const deliveryId of ['2', '3']) expect(write('job failed', { ...REFUSED, deliveryId })).toBe(false);
  clock.ms = 5 * MINUTES;
  expect(write('job failed', { ...REFUSED, deliveryId: '4' })).toMatchObject({
    ...REFUSED,
    deliveryId: '4',
    repeated: 2,
  });
  clock.ms = 10 * MINUTES;
  expect(write('job failed', REFUSED)).not.toHaveProperty('repeated');
});

test('different failures, and lines without a stack, are logged', () => {
  const { write } = openLog();
  write('job failed', REFUSED);
  expect(write('job failed', { ...REFUSED, error: 'Error: something else' })).toHaveProperty('stack');
  expect(write('drain failed', REFUSED)).toHaveProperty('stack');
  for (const _twice of [1, 2]) expect(write('worker not ready', { failing: ['redis'] })).toBeTruthy();
});

test.each(['request', 'attempt'])(
  'every line with the message %s is logged, but its stack only once',
  (message) => {
    const { write } = openLog();
    expect(write(message, { ...REFUSED, companyId: 1 })).toHaveProperty('stack');
    expect(write(message, { ...REFUSED, companyId: 2 })).toEqual({
      level: 'warn',
      message,
      error: REFUSED.error,
      companyId: 2,
    });
  },
);

test('failures whose texts all differ take limited memory', () => {
  const { write } = openLog();
  write('job failed', REFUSED);
  for (let n = 0; n < 1_000; n += 1) write('job failed', { ...REFUSED, error: `Error: ${n}` });
  // The memory was cleared in between.
  expect(write('job failed', REFUSED)).toHaveProperty('stack');
});
