import { isIPv6 } from 'node:net';
import { hostKey } from './host-key.ts';

const LAST_PORT = 65_535;

/** Returns the port of a URL, 443 by default. */
export function getPort(url: URL): number {
  return url.port === '' ? 443 : Number(url.port);
}

/**
 * Reports whether the operator has allowed a host that is not public.
 *
 * @param allowed entries in the form of `privateHostEntry`.
 * @param host a host name or an IP address, in the form of `hostKey`.
 */
export function isAllowedPrivateHost(allowed: ReadonlySet<string>, host: string, port: number): boolean {
  return allowed.has(host) || allowed.has(toEntry(host, port));
}

/**
 * Normalizes a host that the operator has configured, with or without a port: `example.internal`, `127.0.0.1:8443`, `::1`,
 * `[::1]:8443`. With a port, the entry allows only that port.
 *
 * @returns null if the text is not a host.
 */
export function privateHostEntry(text: string): string | null {
  if (/[/\\?#@\s]/.test(text)) return null;
  const [, name = '', port] = isIPv6(text)
    ? [text, text]
    : (/^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? []);
  const authority = isIPv6(name) ? `[${name}]` : name;
  if (authority === '' || !URL.canParse(`https://${authority}`)) return null;
  const host = hostKey(new URL(`https://${authority}`).hostname);
  if (host === null || port === undefined) return host;
  return Number(port) >= 1 && Number(port) <= LAST_PORT ? toEntry(host, Number(port)) : null;
}

/** The separator is a space, which no host contains, so an entry with a port never equals a host. */
function toEntry(host: string, port: number): string {
  return `${host} ${port}`;
}
