import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { connectionOf, createClient } from '../src/client.ts';

const { cases } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'base-url-cases.json'), 'utf8')) as {
  cases: { given: string; used?: string; refused?: string }[];
};

test.each(cases)('the URL $given', ({ given, used, refused }) => {
  const connect = () => connectionOf({ url: given, apiKey: 'key' }).baseUrl;
  if (used !== undefined) expect(connect()).toBe(used);
  else expect(connect).toThrow(refused);
  if (given.includes('hidden')) expect(connect).not.toThrow('hidden');
});

test('rejects a missing URL', () => {
  expect(() => createClient({ url: '', apiKey: 'key' })).toThrow('is missing');
});

test.each([
  ['', 'is missing'],
  ['key\nwith a line break', 'characters that are not valid in a key'],
])('rejects the key %j without printing it', (apiKey, message) => {
  const create = () => createClient({ url: 'https://api.example.com/api/v1', apiKey });
  expect(create).toThrow(message);
  expect(create).not.toThrow(/line break/);
});

test('accepts a URL with a trailing slash, and sends the typed parameters', async () => {
  const sent: string[] = [];
  const client = createClient({
    url: 'https://api.example.com/api/v1/',
    apiKey: 'key',
    fetch: (request) => {
      sent.push(
        `${request.method} ${request.url} ${request.headers.get('authorization')} ${request.redirect}`,
      );
      return Promise.resolve(Response.json({ data: { id: 'x' } }));
    },
  });
  const { data } = await client.GET('/calls/{id}', { params: { path: { id: 'x' } } });
  expect(data?.data.id).toBe('x');
  expect(sent).toEqual(['GET https://api.example.com/api/v1/calls/x Bearer key manual']);
});
