import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../src/guard/public-address.ts';
import { PRIVATE_ADDRESSES, PUBLIC_ADDRESSES } from './url-corpus.ts';

// The network policy of the Helm chart is a second line of defense if the guard fails, so both must block the same addresses.

const TEMPLATE = new URL('../../../../docker/chart/templates/network-policies.yaml', import.meta.url);
const [, rule = ''] =
  /define "deal-signals\.egress-to-receivers"([^]*?)\n {2}ports:/.exec(readFileSync(TEMPLATE, 'utf8')) ?? [];
const CIDR = '[\\da-f.:]+/\\d+';
/** The addresses that pods may connect to: blocks with their exceptions. */
const blocks = rule
  .split('- ipBlock:')
  .slice(1)
  .map((block) => ({
    cidr: new RegExp(`cidr: (${CIDR})`).exec(block)?.[1] ?? '',
    except: Array.from(block.matchAll(new RegExp(`^ +- (${CIDR})`, 'gm')), ([, cidr = '']) => cidr),
  }));

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');

function isIn(cidrs: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', length] = cidr.split('/');
    list.addSubnet(network, Number(length), familyOf(network));
  }
  return list.check(address, familyOf(address));
}

const isAllowed = (address: string) =>
  blocks.some(({ cidr, except }) => isIn([cidr], address) && !isIn(except, address));

/** Such an address is as public as the IPv4 address that it embeds. A policy cannot decode it, so it blocks all of them. */
const containsIPv4 = (address: string) =>
  address.includes(':') && isIn(['2002::/16', '64:ff9b::/96', '::ffff:0:0/96'], address);
/** A policy cannot recognize these either, because they have any prefix. */
const isIsatap = (address: string) => /::(200:)?5efe:/.test(address);

/** Returns the first and the last address of a block, and their neighbors outside of it. */
function borders(cidr: string): string[] {
  const [network = '', length] = cidr.split('/');
  const parsed = ipaddr.parse(network);
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  const first = parsed.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const last = first + (1n << BigInt(bits - Number(length))) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((number) => number >= 0n && number < 1n << BigInt(bits))
    .map((number) => {
      const bytes = Array.from({ length: bits / 8 }, (_, n) =>
        Number((number >> BigInt(bits - 8 * (n + 1))) & 255n),
      );
      return ipaddr.fromByteArray(bytes).toString();
    });
}

/** Returns the blocks of the guard's library as text. */
function knownBlocks(): string[] {
  type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];
  return [ipaddr.IPv4, ipaddr.IPv6].flatMap(({ prototype }) => {
    const { SpecialRanges } = prototype as unknown as { SpecialRanges: Record<string, Block | Block[]> };
    return Object.values(SpecialRanges)
      .flatMap((range) => (Array.isArray(range[0]) ? (range as Block[]) : [range as Block]))
      .map(([address, length]) => `${address.toString()}/${length}`);
  });
}

describe('the network policy', () => {
  test.each(PUBLIC_ADDRESSES.filter(([address]) => !containsIPv4(address)))(
    'lets pods connect to %s (%s)',
    (address) => {
      expect(isAllowed(address)).toBe(true);
    },
  );

  test.each(PRIVATE_ADDRESSES.filter(([address]) => !isIsatap(address)))(
    'keeps pods from %s (%s)',
    (address) => {
      expect(isAllowed(address)).toBe(false);
    },
  );

  test('agrees with the guard at the borders of each block that either of them lists', () => {
    const known = [...knownBlocks(), ...blocks.flatMap(({ cidr, except }) => [cidr, ...except])];
    expect(known.length).toBeGreaterThan(60);
    const addresses = [...new Set(known.flatMap(borders))];
    const expected = addresses.map((address) => [
      address,
      isPublicAddress(address) && !containsIPv4(address) ? 'let through' : 'kept from',
    ]);
    expect(addresses.map((address) => [address, isAllowed(address) ? 'let through' : 'kept from'])).toEqual(
      expected,
    );
  });
});
