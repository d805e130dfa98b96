import { isIP } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { checkEndpointUrl } from '../../src/guard/endpoint-url.ts';
import { hostKey } from '../../src/guard/host-key.ts';
import { isPublicAddress } from '../../src/guard/public-address.ts';
import {
  ALLOWED_URLS,
  type Corpus,
  NOT_ADDRESSES,
  PRIVATE_ADDRESSES,
  PUBLIC_ADDRESSES,
  REJECTED_URLS,
} from './url-corpus.ts';

const NO_EXEMPTIONS = new Set<string>();
const check = (raw: string) => checkEndpointUrl(raw, NO_EXEMPTIONS);
const urlOf = (address: string): string => `https://${isIP(address) === 6 ? `[${address}]` : address}`;

/** Returns the address in a URL, in the form that DNS would return. */
function addressIn(raw: string): string {
  const host = hostKey(new URL(raw).hostname) ?? '';
  expect(isIP(host)).not.toBe(0);
  return host;
}

test('the corpus has at least 120 rejected and 30 accepted entries, without duplicates', () => {
  const texts = (...corpora: Corpus[]): string[] => corpora.flat().map(([text]) => text);
  const refused = texts(PRIVATE_ADDRESSES, REJECTED_URLS);
  const allowed = texts(PUBLIC_ADDRESSES, ALLOWED_URLS);
  expect(refused.length).toBeGreaterThanOrEqual(120);
  expect(allowed.length).toBeGreaterThanOrEqual(30);
  expect(new Set([...refused, ...allowed]).size).toBe(refused.length + allowed.length);
});

describe('a private address is rejected in a URL and as a DNS answer', () => {
  test.each(PRIVATE_ADDRESSES)('%s (%s)', (address) => {
    expect(check(urlOf(address))).toEqual({ ok: false, reason: 'must not point to a private address' });
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a public address is accepted in a URL and as a DNS answer', () => {
  test.each(PUBLIC_ADDRESSES)('%s (%s)', (address) => {
    expect(check(urlOf(address))).toMatchObject({ ok: true });
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('a URL is rejected, and so is its address as a DNS answer', () => {
  test.each(REJECTED_URLS)('%j (%s)', (raw, reason) => {
    expect(check(raw)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
    if (reason === 'private address') expect(isPublicAddress(addressIn(raw))).toBe(false);
  });
});

describe('a URL is accepted', () => {
  test.each(ALLOWED_URLS)('%s (%s)', (raw) => {
    expect(check(raw)).toEqual({ ok: true, url: new URL(raw) });
  });

  test('also once the check has been compiled, as in a worker that has run for a while', () => {
    for (let times = 0; times < 20_000; times += 1) {
      if (!check('https://bücher.example/').ok) throw new Error(`refused at time ${times}`);
    }
  });
});

describe('text that is not an address is not a public address', () => {
  test.each(NOT_ADDRESSES)('%j (%s)', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});
