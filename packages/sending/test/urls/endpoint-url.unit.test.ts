import { expect, test } from '@jest/globals';
import { checkEndpointUrl } from '../../src/endpoint-url.ts';

// Which URLs are taken and which are refused: url-corpus.test.ts.

test('an exempt host may be private, by any spelling, but still needs https', () => {
  const allowed = new Set(['127.0.0.1', 'localhost', '::1']);
  for (const raw of ['https://127.0.0.1:8443/', 'https://127.1/', 'https://localhost./', 'https://[0::1]/']) {
    expect(checkEndpointUrl(raw, allowed).ok).toBe(true);
  }
  for (const raw of [
    'http://127.0.0.1/',
    'https://127.0.0.2/',
    'https://a.localhost/',
    'https://u@127.0.0.1/',
  ]) {
    expect(checkEndpointUrl(raw, allowed).ok).toBe(false);
  }
});
