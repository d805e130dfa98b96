import ipaddr from 'ipaddr.js';

/** Azure's platform address: it lies in public space and answers only from inside a virtual machine. */
const AZURE_PLATFORM = '168.63.129.16';

/** The only block of IPv6 that is handed out to the public; everything outside it is special in one way or another. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
/** The well-known prefix of NAT64. There is one for local use as well: that belongs to whoever runs the network. */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const SIX_TO_FOUR = ipaddr.IPv6.parse('2002::');

/**
 * Whether an IP address is one that anybody on the internet could have, and not this network's own.
 *
 * An IPv6 address that carries an IPv4 address to its destination (mapped, 6to4, NAT64) is as public as that one.
 *
 * @param address an IPv4 address in dotted form or an IPv6 address without brackets; anything else is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicIPv4(ipaddr.IPv4.parse(address));
  const url = `https://[${address}]`;
  if (!URL.canParse(url)) return false;
  // In hexadecimal form, because the library takes an address of ::/96 in dotted form for an IPv4-mapped one.
  const ipv6 = ipaddr.IPv6.parse(new URL(url).hostname.slice(1, -1));
  const embedded = embeddedIPv4(ipv6);
  if (embedded !== null) return isPublicIPv4(embedded);
  return ipv6.match(GLOBAL_UNICAST, 3) && !isIsatap(ipv6) && ipv6.range() === 'unicast';
}

function isPublicIPv4(ipv4: ipaddr.IPv4): boolean {
  return ipv4.range() === 'unicast' && ipv4.toString() !== AZURE_PLATFORM;
}

/** The IPv4 address that packets to this IPv6 address end at, if it is of such a kind. */
function embeddedIPv4(ipv6: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = ipv6.toByteArray();
  if (ipv6.isIPv4MappedAddress() || ipv6.match(NAT64, 96)) return new ipaddr.IPv4(bytes.slice(12));
  if (ipv6.match(SIX_TO_FOUR, 16)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}

/** ISATAP: a tunnel to the IPv4 address in the last four bytes, under any prefix. */
function isIsatap(ipv6: ipaddr.IPv6): boolean {
  const group = ipv6.parts[4];
  return (group === 0x0000 || group === 0x0200) && ipv6.parts[5] === 0x5efe;
}
