import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How a host could not be reached.
 * - `name`: no name server responded with its addresses.
 * - `network`: this machine could not even send to its address.
 * - `silence`: nothing came back from its address.
 */
export type Unreached = 'name' | 'network' | 'silence';

/** A connection to a host that was opened. */
export interface Reached {
  hostname: string;
  /** An address that was checked before the connection. */
  address: string;
  port: number;
}

/** Tells a receiver that cannot be reached from a network of ours that reaches nobody. */
export interface Reachability {
  /** Notes that a connection to a host was opened, whatever the host then responded. */
  noteReached(host: Reached): void;
  /**
   * Whether it is our failure that a host was not reached: no other host can be reached either. It is the receiver's
   * failure if another host was reached since the attempt began, or can be reached now. If there is no other host to
   * compare with, silence counts as the receiver's failure, and DNS or a network that does not work as ours.
   *
   * @param sinceMs when the attempt began, by `performance.now()`.
   */
  isOurs(hostname: string, how: Unreached, sinceMs: number): Promise<boolean>;
}

/** One host may be down for reasons of its own. If several are down at the same moment, the reason is a common one. */
const MOST_KNOWN = 3;
/** A host that was reached longer ago may have gone for good, and says nothing about our network. */
const KNOWN_FOR_MS = 3_600_000;

/**
 * Creates the memory of one process.
 *
 * @param resolves whether a host name has an address, asked again now.
 * @param probeTimeoutMs how long asking the other hosts may take. The claim of the attempt must outlive it.
 * @param opens whether a connection to an address can be opened now.
 */
export function createReachability(
  resolves: (hostname: string) => Promise<boolean>,
  probeTimeoutMs: number,
  opens: (address: string, port: number, timeoutMs: number) => Promise<boolean> = opensDirectly,
): Reachability {
  /** The hosts that were reached last, and when; the latest is the last. */
  const known = new Map<string, Reached & { atMs: number }>();
  /** The probes that are running: attempts that fail at the same moment share one. */
  const probes = new Map<string, Promise<boolean>>();

  function anyReached(others: Reached[], how: Unreached): Promise<boolean> {
    const probe = ({ hostname, address, port }: Reached): Promise<boolean> =>
      how === 'name'
        ? Promise.race([resolves(hostname), sleep(probeTimeoutMs, false, { ref: false })])
        : opens(address, port, probeTimeoutMs);
    return Promise.all(others.map(probe)).then((results) => results.includes(true));
  }

  return {
    noteReached(host) {
      known.delete(host.hostname);
      known.set(host.hostname, { ...host, atMs: performance.now() });
      // One more than are asked, because the host that fails is not one of the others.
      if (known.size > MOST_KNOWN + 1) known.delete([...known.keys()][0]!);
    },
    async isOurs(hostname, how, sinceMs) {
      const nowMs = performance.now();
      const others = [...known.values()].filter(
        (host) => host.hostname !== hostname && nowMs - host.atMs < KNOWN_FOR_MS,
      );
      if (others.some(({ atMs }) => atMs >= sinceMs)) return false;
      if (others.length === 0) return how !== 'silence';
      const key = `${how} ${hostname}`;
      const probe = probes.get(key) ?? anyReached(others, how).finally(() => probes.delete(key));
      probes.set(key, probe);
      return !(await probe);
    },
  };
}

/** Whether a connection to an address is opened now, or refused by it: either way it is reached. */
function opensDirectly(address: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const settle = (isReached: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isReached);
    };
    const timer = setTimeout(() => settle(false), timeoutMs);
    socket.once('connect', () => settle(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'ECONNREFUSED'));
  });
}
