import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';
import { ApiError } from '../http/errors.ts';
import { rememberMatcher } from '../http/optimizations.ts';

const IPV4_BITS = 32;
const IPV6_BITS = 128;

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const HEXTET = '[0-9A-Fa-f]{1,4}';
/** The forms of an IPv6 address: in full, and with zeros left out at the end, at the beginning, or in between. */
const IPV6_FORMS = [
  `(${HEXTET}:){7}${HEXTET}`,
  `(${HEXTET}:){1,7}:`,
  `:(:${HEXTET}){1,7}`,
  '::',
  ...[1, 2, 3, 4, 5, 6].map((after) => `(${HEXTET}:){1,${7 - after}}(:${HEXTET}){1,${after}}`),
];

/**
 * The published pattern of an address or a network. It leaves out IPv6 addresses that end in IPv4 form, which are accepted as
 * well.
 */
export const NETWORK_PATTERN =
  `^(${OCTET}(\\.${OCTET}){3}(/([12]?[0-9]|3[0-2]))?` +
  `|(${IPV6_FORMS.join('|')})(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)$`;

/** A network: its first address and the length of its prefix. */
interface Network {
  address: string;
  family: 'ipv4' | 'ipv6';
  bits: number;
}

/** Reports whether text is an IP address or a network in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  return networkOf(text) !== null;
}

/**
 * Returns the IP address of the caller; null if it is unknown, for example because a proxy reports something else. Express's
 * `trust proxy` setting defines which proxies are skipped. IPv4 addresses are returned in dotted form even for an IPv6 socket,
 * and link-local addresses without their zone.
 */
export function callerAddress(request: Request): string | null {
  const address = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address;
}

/**
 * Checks that a key may be used from the caller's address.
 *
 * @param networks in CIDR notation; an empty list allows every address.
 * @throws ApiError PERMISSION_DENIED.
 */
export function requireNetwork(networks: readonly string[], request: Request): void {
  if (networks.length === 0) return;
  const address = callerAddress(request);
  const allowed = rememberMatcher(networks, () => matcherOf(networks));
  if (address !== null && allowed.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return;
  throw new ApiError('PERMISSION_DENIED', 'the API key must not be used from this network');
}

/** Returns a matcher for addresses in the given networks. Node's class for this is called BlockList, although this list allows. */
function matcherOf(networks: readonly string[]): BlockList {
  const matcher = new BlockList();
  for (const text of networks) {
    const network = networkOf(text);
    if (network !== null) matcher.addSubnet(network.address, network.bits, network.family);
  }
  return matcher;
}

function networkOf(text: string): Network | null {
  const [, address = '', prefix] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const mostBits = version === 4 ? IPV4_BITS : IPV6_BITS;
  const bits = prefix === undefined ? mostBits : Number(prefix);
  return bits <= mostBits ? { address, family: version === 4 ? 'ipv4' : 'ipv6', bits } : null;
}
