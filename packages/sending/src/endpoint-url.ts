import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { isPublicAddress } from './public-address.ts';

/** The verdict on the URL of a webhook endpoint; the reason completes the sentence "the URL ...". */
export type EndpointUrlCheck = { ok: true; url: URL } | { ok: false; reason: string };

const MOST_CHARACTERS = 2048;
const MOST_HOST_CHARACTERS = 253;
/** After parsing, which writes every name in lower-case ASCII. An underscore is no letter of a host, but some use it. */
const LABEL = /^[a-z\d_-]{1,63}$/;
/** The start of a label that stands for one beyond ASCII (RFC 5890, an A-label). */
const PUNYCODE_LABEL = /(?:^|\.)xn--/;

/**
 * Names under which no public host can be: reserved by RFC 6761, 6762 and 8375 or by ICANN, taken for private networks
 * by custom (RFC 6762, appendix G), or by Kubernetes.
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

/** Names by which clouds hand out a machine's credentials, beyond those that the suffixes cover. */
const METADATA_HOSTS = [
  'metadata.goog',
  'metadata.azure.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
];

/**
 * Checks the URL of a webhook endpoint: https, no credentials, a public host.
 *
 * It is asked when an endpoint is created or changed, and again at every attempt, because the rules and the list of
 * exemptions may have changed since. What a name resolves to is vetted at each connection, not here.
 *
 * @param allowedPrivateHosts host names and IP addresses, as `hostKey` writes them, to which the rule of the public host
 *   does not apply. https is required of them too.
 */
export function checkEndpointUrl(raw: string, allowedPrivateHosts: ReadonlySet<string>): EndpointUrlCheck {
  if (raw.length > MOST_CHARACTERS) return refuse(`must not be longer than ${MOST_CHARACTERS} characters`);
  // The parser drops such characters, or turns them into slashes, so what is shown would not be what is called.
  if (/[\s\p{Cc}\\]/u.test(raw)) return refuse('must not contain blanks, backslashes or control characters');
  const url = parse(raw);
  if (url === null) return refuse('must be an absolute https URL');
  // It also makes do with any number of slashes.
  if (!/^https:\/\/[^/]/i.test(raw)) return refuse('must begin with https://');
  if (hasCredentials(raw, url)) return refuse('must not contain credentials');
  // The parser has turned every spelling of an address (octal, hexadecimal, one number, full-width digits) into its
  // usual form: rules that read the raw text would miss those.
  const host = hostKey(url.hostname);
  if (host === null) return refuse('must have a valid host name');
  if (url.port === '0') return refuse('must have a valid port');
  if (!allowedPrivateHosts.has(host)) {
    const reason = isIP(host) === 0 ? whyPrivateName(host) : whyPrivateAddress(host);
    if (reason !== null) return refuse(reason);
  }
  return { ok: true, url };
}

/**
 * The form in which hosts are compared: lower case, IPv6 without brackets, names without their final dot.
 * @param hostname as `URL.hostname` gives it.
 * @returns null for a name that no resolver would take.
 */
export function hostKey(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (name.length > MOST_HOST_CHARACTERS) return null;
  return name.split('.').every((label) => LABEL.test(label)) ? name : null;
}

/**
 * Parses an absolute URL; null for one that cannot be parsed, or whose host name has an invalid Punycode label (`xn--`).
 *
 * The parser of Node 20 and 22 refuses such labels, that of Node 24 and later does not look at them. The verdict on a URL
 * must not depend on the version of Node.
 */
function parse(raw: string): URL | null {
  if (!URL.canParse(raw)) return null;
  const url = new URL(raw);
  return hasInvalidPunycode(url.hostname) ? null : url;
}

/** Whether a label fails to decode, or decodes to a text that is written differently in ASCII. */
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
  // Empty credentials vanish in parsing; whoever writes them means something else than what would be called.
  const [authority] = raw.slice('https://'.length).split(/[/?#]/);
  return authority?.includes('@') ?? false;
}

function refuse(reason: string): EndpointUrlCheck {
  return { ok: false, reason };
}
