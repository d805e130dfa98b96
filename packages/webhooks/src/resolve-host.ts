import { lookup, Resolver } from 'node:dns/promises';

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

const dns = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });

/** An IP address and whether it is of version 4 or 6. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/**
 * All addresses of a host name, IPv4 first.
 *
 * DNS is asked directly. The system's resolver, which most programs use, runs on a few threads that all look-ups of the
 * process share, so a handful of receivers whose name servers are silent would hold up everybody else's deliveries. It
 * is asked only for names that DNS says it does not have: those in the hosts file.
 *
 * @throws Error with a `code` when the name has no address, or when DNS does not answer.
 */
export async function resolveHost(hostname: string): Promise<HostAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 as const })) : []),
  ];
  if (addresses.length > 0) return addresses;
  if (ipv4.status === 'rejected' && (ipv4.reason as NodeJS.ErrnoException).code === 'ETIMEOUT')
    throw ipv4.reason;
  return (await lookup(hostname, { all: true, order: 'ipv4first' })) as HostAddress[];
}
