import { expect, test } from '@jest/globals';
import { createClient } from '../src/client.ts';

test.each([
  ['', 'is missing'],
  ['api.example.com/api/v1', 'must begin with https://'],
  ['ftp://api.example.com/api/v1', 'must begin with https://'],
  ['https://', 'must begin with https://'],
  ['https://api.example.com', 'must end in /api/v1'],
  ['https://api.example.com/api/v1/calls', 'must end in /api/v1'],
])('refuses the URL %j', (url, message) => {
  expect(() => createClient({ url, apiKey: 'key' })).toThrow(message);
});

test.each([
  ['', 'is missing'],
  ['key\nwith a line break', 'characters that no key has'],
])('refuses the key %j without printing it', (apiKey, message) => {
  const create = () => createClient({ url: 'https://api.example.com/api/v1', apiKey });
  expect(create).toThrow(message);
  expect(create).not.toThrow(/line break/);
});

test('accepts a URL with a slash at its end, and sends what the types say', async () => {
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
