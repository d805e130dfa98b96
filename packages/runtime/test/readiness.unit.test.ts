import { until } from '@deal-signals/test-kit/until';
import { expect, test } from '@jest/globals';
import { createReadiness, describeReadiness } from '../src/readiness.ts';

test('reports the problems in the order of the checks', async () => {
  const readiness = createReadiness([
    { name: 'rejects', run: () => Promise.reject(new Error('secret')) },
    { name: 'fine', run: async () => null },
    { name: 'specific', run: async () => 'read-only' },
  ]);
  expect(await readiness()).toEqual(['rejects', 'read-only']);
  expect(await createReadiness([{ name: 'fine', run: async () => null }])()).toEqual([]);
});

test('a hanging check counts as a problem, and does not run again before it has ended', async () => {
  let begun = 0;
  let end = (_value: null) => {};
  const readiness = createReadiness([
    {
      name: 'hangs',
      run() {
        begun += 1;
        return new Promise((resolve) => (end = resolve));
      },
    },
  ]);
  expect(await Promise.all([readiness(), readiness()])).toEqual([['hangs'], ['hangs']]);
  const last = readiness();
  expect(begun).toBe(1);
  end(null);
  expect(await last).toEqual([]);
  const next = readiness();
  await until('another run of the check', () => begun === 2);
  end(null);
  expect(await next).toEqual([]);
});

test('the response lists problems only when there are any', () => {
  expect(describeReadiness([])).toEqual({ ok: true });
  expect(describeReadiness(['redis'])).toEqual({ ok: false, failing: ['redis'] });
  expect(describeReadiness(['migrations'], ['20260101000000_first'])).toEqual({
    ok: false,
    failing: ['migrations'],
    missingMigrations: ['20260101000000_first'],
  });
});
