import { describe, expect, test } from '@jest/globals';
import { until } from '../src/until.ts';

describe('until', () => {
  test('returns the first truthy value', async () => {
    let calls = 0;
    expect(await until('the third call', async () => (++calls === 3 ? 'three' : undefined))).toBe('three');
    expect(calls).toBe(3);
  });

  test('reports what it waited for, and the last error of the probe', async () => {
    const failing = until('rain', () => Promise.reject(new Error('no clouds')), { timeoutMs: 50 });
    await expect(failing).rejects.toThrow('timed out after 50 ms waiting for: rain (no clouds)');
    await expect(until('snow', () => false, { timeoutMs: 10 })).rejects.toThrow(/waiting for: snow$/);
  });
});
