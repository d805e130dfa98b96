import { expect, test } from '@jest/globals';
import { createEventMemory } from '../../src/webhooks/event-memory.ts';

test('remembers the latest events, up to its size', async () => {
  const memory = createEventMemory(2);
  for (const id of ['a', 'b', 'b', 'c']) await memory.add(id);
  expect(['a', 'b', 'c'].map((id) => memory.has(id))).toEqual([false, true, true]);
});
