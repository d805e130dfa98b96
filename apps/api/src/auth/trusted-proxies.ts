import { commaSeparated } from '@deal-signals/runtime/settings';
import express from 'express';
import { isNetwork } from './networks.ts';

const MAX_PROXIES = 100;
/** Networks that Express has names for. */
const NAMED = new Set(['loopback', 'linklocal', 'uniquelocal']);
const FORM = `must be the addresses and networks of proxies, separated by commas, or how many there are, from 0 to ${MAX_PROXIES}`;

/**
 * The proxies in front of the API, in the form of Express's `trust proxy`: their addresses and networks, or how many a
 * request passes. A number trusts whoever connects, so callers choose their address where they get past the proxies.
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

/** Whether Express takes them. It takes no network of all addresses, but other ways to write an address, such as `1`. */
function areNetworks(proxies: readonly string[]): boolean {
  if (!proxies.every((proxy) => NAMED.has(proxy) || isNetwork(proxy))) return false;
  try {
    express().set('trust proxy', proxies);
    return true;
  } catch {
    return false;
  }
}
