import { describe, expect, test } from '@jest/globals';
import { ApiFailure } from '../src/api/failures.ts';
import { moveDeadLetters } from '../src/dead-letters/move.ts';

/** An endpoint whose receiver rejects everything permanently: retried deliveries are dead again before the next request. */
function hopelessEndpoint(dead: number) {
  const sent = new Map<number, number>();
  const limits: number[] = [];
  return {
    sent,
    limits,
    send: (_action: string, _endpointId: number, body: { limit?: number; cursor?: string }) => {
      const { limit = 10_000, cursor = '0' } = body;
      limits.push(limit);
      if (limits.length > 100) return Promise.reject(new Error('too many requests'));
      const first = Number(cursor);
      const end = Math.min(dead, first + limit);
      for (let id = first; id < end; id += 1) sent.set(id, (sent.get(id) ?? 0) + 1);
      return Promise.resolve({ count: end - first, nextCursor: end - first < limit ? null : String(end) });
    },
  };
}

const selection = { endpointId: 1 };
const never = new AbortController().signal;

describe('moving dead letters', () => {
  test.each([
    ['moves no more than were counted', 1_200, 1_500, true, [500, 500, 200], 1_200],
    ['moves the remaining ones if there are fewer', 1_200, 700, true, [500, 500], 700],
    [
      'moves all if there were too many to count',
      50_000,
      61_000,
      false,
      Array<number>(13).fill(5_000),
      61_000,
    ],
  ])('moves %s, each once', async (_name, count, dead, isExact, limits, moved) => {
    const endpoint = hopelessEndpoint(dead);
    const progress: number[] = [];
    const report = (sum: number) => progress.push(sum);
    await moveDeadLetters('retry', [{ selection, count, isExact }], report, never, endpoint.send);
    expect(endpoint.limits).toEqual(limits);
    expect(progress.at(-1)).toBe(moved);
    expect([endpoint.sent.size, Math.max(...endpoint.sent.values())]).toEqual([moved, 1]);
  });

  test('stops between two requests', async () => {
    const endpoint = hopelessEndpoint(100_000);
    const stopping = new AbortController();
    const report = (moved: number) => moved >= 10_000 && stopping.abort();
    const counted = [{ selection, count: 50_000, isExact: false }];
    await moveDeadLetters('dismiss', counted, report, stopping.signal, endpoint.send);
    expect(endpoint.sent.size).toBe(10_000);
  });

  test('waits and continues after a 429, and fails after any other error', async () => {
    const endpoint = hopelessEndpoint(700);
    const failures = [429, 429, 503];
    const send: typeof endpoint.send = async (...args) => {
      const status = endpoint.limits.length === 1 ? failures.shift() : undefined;
      if (status === undefined) return endpoint.send(...args);
      const body = JSON.stringify({ code: 'ANY', error: `status ${status}` });
      throw await ApiFailure.of(new Response(body, { status, headers: { 'Retry-After': '0' } }));
    };
    const counted = [{ selection, count: 700, isExact: true }];
    const moving = moveDeadLetters('retry', counted, () => {}, never, send);
    await expect(moving).rejects.toThrow('status 503');
    expect([failures, endpoint.limits]).toEqual([[], [500]]);
  });
});
