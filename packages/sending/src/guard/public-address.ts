import ipaddr from 'ipaddr.js';

/** Azure's platform address: a public address that responds only inside a virtual machine. */
const AZURE_PLATFORM = '168.63.129.16';

/** 2000::/3, the only IPv6 block allocated for public use (RFC 4291). Everything else has a special purpose. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
/** 64:ff9b::/96, the well-known prefix of NAT64 (RFC 6052). The prefix for local use (RFC 8215) is never public. */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
/** 2002::/16, the prefix of 6to4 (RFC 3056). */
const SIX_TO_FOUR = ipaddr.IPv6.parse('2002::');

/**
 * Reports whether an IP address belongs to the public internet, and not to a private, local or reserved network.
 *
 * An IPv6 address that embeds the IPv4 address of its destination (IPv4-mapped, 6to4, NAT64) is public if that IPv4 address is
 * public.
 *
 * @param address an IPv4 address in dotted form or an IPv6 address without brackets; any other text is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicIPv4(ipaddr.IPv4.parse(address));
  const url = `https://[${address}]`;
  if (!URL.canParse(url)) return false;
  // `URL` writes the address in hexadecimal. The library mistakes a dotted address in ::/96 for an IPv4-mapped one.
  const ipv6 = ipaddr.IPv6.parse(new URL(url).hostname.slice(1, -1));
  const embedded = embeddedIPv4(ipv6);
  if (embedded !== null) return isPublicIPv4(embedded);
  return ipv6.match(GLOBAL_UNICAST, 3) && !isIsatap(ipv6) && ipv6.range() === 'unicast';
}

function isPublicIPv4(ipv4: ipaddr.IPv4): boolean {
  return ipv4.range() === 'unicast' && ipv4.toString() !== AZURE_PLATFORM;
}

/** Returns the IPv4 address to which packets for this IPv6 address are delivered; null if it embeds none. */
function embeddedIPv4(ipv6: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = ipv6.toByteArray();
  if (ipv6.isIPv4MappedAddress() || ipv6.match(NAT64, 96)) return new ipaddr.IPv4(bytes.slice(12));
  if (ipv6.match(SIX_TO_FOUR, 16)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}

/** Reports whether this is an ISATAP address (RFC 5214): under any prefix, a tunnel to the IPv4 address in its last bytes. */
function isIsatap(ipv6: ipaddr.IPv6): boolean {
  const group = ipv6.parts[4];
  return (group === 0x0000 || group === 0x0200) && ipv6.parts[5] === 0x5efe;
}
