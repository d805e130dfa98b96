import { commaSeparated } from '@deal-signals/runtime/settings';
import express from 'express';
import { isNetwork } from './networks.ts';

const MAX_PROXIES = 100;
/** The networks that Express has names for. */
const NAMED = new Set(['loopback', 'linklocal', 'uniquelocal']);
const FORM = `must list the addresses and networks of the proxies, separated by commas, or their number, from 0 to ${MAX_PROXIES}`;

/**
 * The proxies in front of the API, in the form of Express's `trust proxy`: their addresses and networks, or the number of proxies
 * that a request passes. A number trusts every direct caller, so callers that bypass the proxies can forge their address.
 */
export type TrustedProxies = number | readonly string[];

/** Reads `TRUSTED_PROXIES`. */
export const trustedProxies = commaSeparated.transform((proxies, context): TrustedProxies => {
  const [first = '0', ...others] = proxies;
  const count = others.length === 0 && /^\d+$/.test(first) ? Number(first) : null;
  if (count === null ? areNetworks(proxies) : count <= MAX_PROXIES) return count ?? proxies;
  context.addIssue({ code: 'custom', message: FORM });
  return 0;
});

/**
 * Reports whether Express accepts the networks. It rejects the network of all addresses, but accepts other notations of an
 * address, such as `1`.
 */
function areNetworks(proxies: readonly string[]): boolean {
  if (!proxies.every((proxy) => NAMED.has(proxy) || isNetwork(proxy))) return false;
  try {
    express().set('trust proxy', proxies);
    return true;
  } catch {
    return false;
  }
}
