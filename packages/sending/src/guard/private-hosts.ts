import { isIPv6 } from 'node:net';
import { hostKey } from './host-key.ts';

const LAST_PORT = 65_535;

/** The port of a URL: 443 if it names none. */
export function portOf(url: URL): number {
  return url.port === '' ? 443 : Number(url.port);
}

/**
 * Whether the operator has allowed a host although it is not public.
 *
 * @param allowed entries in the form of `privateHostEntry`.
 * @param host a host name or an IP address, in the form of `hostKey`.
 */
export function isAllowedPrivateHost(allowed: ReadonlySet<string>, host: string, port: number): boolean {
  return allowed.has(host) || allowed.has(entryOf(host, port));
}

/**
 * Normalises a host that the operator wrote, with or without a port: `example.internal`, `127.0.0.1:8443`, `::1`,
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
  return Number(port) >= 1 && Number(port) <= LAST_PORT ? entryOf(host, Number(port)) : null;
}

/** A space cannot be part of a host, so no host looks like an entry with a port. */
function entryOf(host: string, port: number): string {
  return `${host} ${port}`;
}
