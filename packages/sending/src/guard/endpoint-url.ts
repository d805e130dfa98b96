import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { BLOCKED_PORTS } from './blocked-ports.ts';
import { hostKey } from './host-key.ts';
import { parseUrl } from './parse-url.ts';
import { isAllowedPrivateHost, getPort } from './private-hosts.ts';
import { isPublicAddress } from './public-address.ts';

/** The result of checking the URL of a webhook endpoint. `reason` completes the sentence "the URL ...". */
export type EndpointUrlCheck = { ok: true; url: URL } | { ok: false; reason: string };

/** The maximum length of an endpoint's URL. */
export const MAX_URL_CHARACTERS = 2048;
/** The start of a label that encodes non-ASCII characters in Punycode (an A-label, RFC 5890). */
const PUNYCODE_LABEL = /(?:^|\.)xn--/;

/**
 * Domains without public hosts: reserved by RFC 6761, RFC 6762, RFC 8375 or ICANN, used for private networks by
 * convention (RFC 6762, appendix G), or used by Kubernetes.
 */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'localdomain',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'svc',
];

/** Hosts from which cloud machines get their credentials, in addition to those with a private suffix. */
const METADATA_HOSTS = [
  'metadata.goog',
  'metadata.azure.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
];

/**
 * Checks the URL of a webhook endpoint: https, no credentials, a public host, a port for the web.
 *
 * Call it when an endpoint is created or changed, and again before every attempt, because the settings may have changed since. It
 * does not resolve the host name: the sender checks the addresses of each connection.
 *
 * @param allowedPrivateHosts hosts, in the form of `privateHostEntry`, that need not be public and may use any port. They still
 *   require https.
 * @param allowedPorts the only ports of other hosts; null for all except those that browsers block. Blocked ports are never
 *   allowed.
 */
export function checkEndpointUrl(
  raw: string,
  allowedPrivateHosts: ReadonlySet<string>,
  allowedPorts: ReadonlySet<number> | null = null,
): EndpointUrlCheck {
  if (raw.length > MAX_URL_CHARACTERS)
    return invalid(`must not be longer than ${MAX_URL_CHARACTERS} characters`);
  // The parser drops these characters or turns them into slashes, so the called URL would differ from the one shown.
  if (/[\s\p{Cc}\\]/u.test(raw)) return invalid('must not contain spaces, backslashes or control characters');
  const url = parse(raw);
  if (url === null) return invalid('must be an absolute https URL');
  // The parser also accepts any number of slashes.
  if (!/^https:\/\/[^/]/i.test(raw)) return invalid('must begin with https://');
  if (hasCredentials(raw, url)) return invalid('must not contain credentials');
  // The parser has normalized every spelling of an IP address (octal, hexadecimal, one number, full-width digits). A check of the
  // raw text would miss some of them.
  const host = hostKey(url.hostname);
  if (host === null) return invalid('must have a valid host name');
  if (url.port === '0') return invalid('must have a valid port');
  const port = getPort(url);
  if (!isAllowedPrivateHost(allowedPrivateHosts, host, port)) {
    if (BLOCKED_PORTS.has(port) || allowedPorts?.has(port) === false) {
      return invalid(`must not use port ${port}`);
    }
    const reason = isIP(host) === 0 ? whyPrivateName(host) : whyPrivateAddress(host);
    if (reason !== null) return invalid(reason);
  }
  return { ok: true, url };
}

/**
 * Parses an absolute URL. Returns null for one that cannot be parsed, or whose host name has an invalid Punycode label (`xn--`).
 *
 * The parser of Node 20 and 22 rejects such labels, but the parser of Node 24 and later does not check them. The result must not
 * depend on the version of Node.
 */
function parse(raw: string): URL | null {
  const url = parseUrl(raw);
  return url === null || hasInvalidPunycode(url.hostname) ? null : url;
}

/** Reports whether a label cannot be decoded, or decodes to text that encodes to a different label. */
function hasInvalidPunycode(hostname: string): boolean {
  if (!PUNYCODE_LABEL.test(hostname)) return false;
  const decoded = domainToUnicode(hostname);
  return PUNYCODE_LABEL.test(decoded) || domainToASCII(decoded) !== hostname;
}

function whyPrivateAddress(address: string): string | null {
  return isPublicAddress(address) ? null : 'must not point to a private address';
}

function whyPrivateName(name: string): string | null {
  if (!name.includes('.') && !PRIVATE_SUFFIXES.includes(name)) return 'must have a fully qualified host name';
  const isPrivate =
    METADATA_HOSTS.includes(name) ||
    PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  return isPrivate ? 'must not point to a private host' : null;
}

function hasCredentials(raw: string, url: URL): boolean {
  if (url.username !== '' || url.password !== '') return true;
  // The parser drops empty credentials. They are rejected too, because the called URL would differ from the one written.
  const [authority] = raw.slice('https://'.length).split(/[/?#]/);
  return authority?.includes('@') ?? false;
}

function invalid(reason: string): EndpointUrlCheck {
  return { ok: false, reason };
}
