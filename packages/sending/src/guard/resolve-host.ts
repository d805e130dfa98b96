import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostLookupError } from './send-error.ts';

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
/**
 * How long to wait for the addresses of the other IP version once those of one have arrived. Some name servers ignore one of the
 * two queries.
 */
const OTHER_FAMILY_WAIT_MS = 500;

/** The error codes for a name that does not exist, or has no address of the requested family. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** An IP address and its version, 4 or 6. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** Finds the addresses of hosts. */
export interface HostResolver {
  /**
   * Finds all addresses of a host name, IPv4 first. Nothing is cached.
   *
   * @param isTrusted whether the operator has allowed the name, so that the machine's own resolver may be used too.
   * @throws HostLookupError if the name has no address or DNS does not respond.
   */
  resolve(hostname: string, isTrusted: boolean): Promise<HostAddress[]>;
  /** Cancels the running lookups. */
  close(): void;
}

/**
 * Creates a resolver that queries DNS directly.
 *
 * The machine's own resolver (getaddrinfo), which most programs use, runs on a few threads that all lookups of the process share.
 * A few receivers with unresponsive name servers could delay every connection to a host name. So it is used only for names that
 * the operator has allowed and that are not in DNS: those in the hosts file, such as localhost.
 *
 * @param servers IP addresses with or without a port, as for `Resolver.setServers`, in order of preference; omit them to use the
 *   name servers of the machine. If servers are given, only they are queried.
 */
export function createHostResolver(servers?: readonly string[]): HostResolver {
  const dns = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (servers !== undefined) dns.setServers(servers);

  return {
    async resolve(hostname, isTrusted) {
      const queries = [toAddresses(4, dns.resolve4(hostname)), toAddresses(6, dns.resolve6(hostname))];
      const deadline = Promise.any(queries).then(() => sleep(OTHER_FAMILY_WAIT_MS, [], { ref: false }));
      const results = await Promise.allSettled(queries.map((query) => Promise.race([query, deadline])));
      const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (addresses.length > 0) return addresses;
      if (isTrusted && servers === undefined) return lookUpOnMachine(hostname);
      const isNotFound = results.every(
        (result) => result.status === 'fulfilled' || NOT_FOUND.has(getErrorCode(result.reason)),
      );
      throw new HostLookupError(isNotFound ? 'ENOTFOUND' : 'ESERVFAIL');
    },
    close() {
      dns.cancel();
    },
  };
}

async function toAddresses(family: 4 | 6, query: Promise<string[]>): Promise<HostAddress[]> {
  return (await query).map((address) => ({ address, family }));
}

async function lookUpOnMachine(hostname: string): Promise<HostAddress[]> {
  try {
    return (await lookup(hostname, { all: true, order: 'ipv4first' })) as HostAddress[];
  } catch (error) {
    throw new HostLookupError(NOT_FOUND.has(getErrorCode(error)) ? 'ENOTFOUND' : 'ESERVFAIL');
  }
}

function getErrorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
