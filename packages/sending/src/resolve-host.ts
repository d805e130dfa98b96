import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostLookupError } from './send-error.ts';

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
/** Some name servers never answer about IPv6: with IPv4 addresses in hand, or the reverse, no more than this is lost. */
const OTHER_KIND_WAIT_MS = 500;

/** How DNS says that a name, or an address of that kind, does not exist. */
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** An IP address and whether it is of version 4 or 6. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** Finds the addresses of hosts. */
export interface HostResolver {
  /**
   * All addresses of a host name, IPv4 first. Every call asks anew: nothing is remembered between two calls.
   *
   * @param isTrusted whether the operator vouches for the name, so that the machine's own resolver may be asked too.
   * @throws HostLookupError when the name has no address, or when DNS does not answer.
   */
  resolve(hostname: string, isTrusted: boolean): Promise<HostAddress[]>;
  /** Gives up the look-ups under way. */
  close(): void;
}

/**
 * Creates a resolver that asks DNS directly.
 *
 * The machine's own resolver, which most programs use, runs on a few threads that all look-ups of the process share, so a
 * handful of receivers whose name servers are silent would hold up everything that connects by name. It is asked only
 * for names that the operator vouches for and that DNS has no address of: those in the hosts file, such as localhost.
 *
 * @param servers IP addresses with or without a port, as `Resolver.setServers` takes them, in order of preference; null
 *   for those of the machine. With servers given nothing else is asked: they are there to decide what may be known, and
 *   asking another source about the names that they deny would undo that.
 */
export function createHostResolver(servers: readonly string[] | null): HostResolver {
  const dns = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (servers !== null) dns.setServers(servers);

  return {
    async resolve(hostname, isTrusted) {
      const queries = [ofFamily(4, dns.resolve4(hostname)), ofFamily(6, dns.resolve6(hostname))];
      const patience = Promise.any(queries).then(() => sleep(OTHER_KIND_WAIT_MS, [], { ref: false }));
      const answers = await Promise.allSettled(queries.map((query) => Promise.race([query, patience])));
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      if (isTrusted && servers === null) return askMachine(hostname);
      const isNotThere = answers.every(
        (answer) => answer.status === 'fulfilled' || NOT_THERE.has(codeOf(answer.reason)),
      );
      throw new HostLookupError(isNotThere ? 'ENOTFOUND' : 'ESERVFAIL');
    },
    close() {
      dns.cancel();
    },
  };
}

async function ofFamily(family: 4 | 6, query: Promise<string[]>): Promise<HostAddress[]> {
  return (await query).map((address) => ({ address, family }));
}

async function askMachine(hostname: string): Promise<HostAddress[]> {
  try {
    return (await lookup(hostname, { all: true, order: 'ipv4first' })) as HostAddress[];
  } catch (error) {
    throw new HostLookupError(NOT_THERE.has(codeOf(error)) ? 'ENOTFOUND' : 'ESERVFAIL');
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
