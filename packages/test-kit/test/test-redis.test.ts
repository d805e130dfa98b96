import { describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createTestRedis } from '../src/test-redis.ts';

describe('createTestRedis', () => {
  test('returns a new empty database to each caller', async () => {
    const urls = await Promise.all([createTestRedis(), createTestRedis(), createTestRedis()]);
    expect(new Set(urls).size).toBe(3);
    const clients = urls.map((url) => new Redis(url));
    try {
      await Promise.all(clients.map((client, index) => client.set('key', index)));
      expect(await Promise.all(clients.map((client) => client.get('key')))).toEqual(['0', '1', '2']);
    } finally {
      for (const client of clients) client.disconnect();
    }
  });
});
