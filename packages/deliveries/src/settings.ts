import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import {
  commaSeparated,
  ConfigurationError,
  flag,
  wholeNumber,
} from '@deal-signals/runtime/read-environment';
import { privateHostEntry } from '@deal-signals/sending/private-hosts';
import {
  NO_SECRET_KEYS,
  secretKeys,
  type SecretKeys,
  secretVariables,
} from '@deal-signals/sending/secret-keys';
import { z } from 'zod';
import { retrySchedule } from './attempts/retry-schedule.ts';

/** `WEBHOOK_ALLOWED_PRIVATE_HOSTS`: host names and addresses that may be called although they are not public. */
const allowedPrivateHosts = commaSeparated
  .refine((hosts) => hosts.every((host) => privateHostEntry(host) !== null), {
    message:
      'must be host names or IP addresses, with or without a port, separated by commas, without scheme or path',
  })
  .transform((hosts): ReadonlySet<string> => new Set(hosts.map((host) => privateHostEntry(host) ?? '')));

/** `WEBHOOK_ALLOWED_PORTS`: the only ports that may be called. */
const allowedPorts = commaSeparated
  .refine(
    (ports) => ports.every((port) => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535),
    {
      message: 'must be port numbers from 1 to 65535, separated by commas',
    },
  )
  .transform((ports): ReadonlySet<number> | null => (ports.length > 0 ? new Set(ports.map(Number)) : null));

/** `WEBHOOK_DNS_SERVERS`: the name servers to use instead of the machine's. */
const dnsServers = commaSeparated
  .refine((servers) => servers.every(isDnsServer), {
    message: 'must be IP addresses with or without a port, separated by commas, IPv6 in brackets',
  })
  .transform((servers): readonly string[] | null => (servers.length > 0 ? servers : null));

const PROXY_FORM = 'must be http://host:port or http://user:password@host:port';

/** `WEBHOOK_PROXY_URL`: the proxy that deliveries go through. */
const proxy = z
  .string()
  .refine(isProxyUrl, PROXY_FORM)
  .transform((url) => new URL(url))
  .optional();

/** `WEBHOOK_CA_FILE`: its certificates, read once at start, in PEM form. */
const certificates = z
  .string()
  .transform((path, context) => {
    try {
      const pem = readFileSync(path, 'utf8');
      const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
      if (blocks.length === 0) throw new Error('no certificate in it');
      for (const block of blocks) void new X509Certificate(block);
      return blocks.join('\n');
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a readable file of certificates in PEM form' });
      return z.NEVER;
    }
  })
  .optional();

/** The environment variables of an app that sends webhooks; part of that app's configuration. */
export const webhookVariables = {
  ...secretVariables,
  WEBHOOK_RETRY_SCHEDULE_MS: retrySchedule,
  WEBHOOK_MAX_ATTEMPTS: wholeNumber(1, 100, 8),
  WEBHOOK_TIMEOUT_MS: wholeNumber(1, 120_000, 10_000),
  WEBHOOK_DISABLE_AFTER: wholeNumber(1, 1_000_000, 20),
  WEBHOOK_DISABLE_MIN_OUTAGE_MS: wholeNumber(0, 30 * 86_400_000, 0),
  WEBHOOK_VERIFY_ENDPOINTS: flag,
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: allowedPrivateHosts,
  WEBHOOK_ALLOWED_PORTS: allowedPorts,
  WEBHOOK_DNS_SERVERS: dnsServers,
  WEBHOOK_CA_FILE: certificates,
  WEBHOOK_PROXY_URL: proxy,
};

const TIMEOUTS_A_LEASE = 3;

/** How webhooks are signed, sent and retried. */
export interface WebhookSettings {
  /** Encrypt and decrypt signing secrets and custom headers. */
  secretKeys: SecretKeys;
  /** The waits after the first, second … failure. */
  retryScheduleMs: readonly number[];
  /** Attempts of one delivery, including the first. */
  maxAttempts: number;
  /** How long one exchange with a receiver may take. */
  timeoutMs: number;
  /** How long a claim lasts: one timeout in the queue, one for the attempt, and one to spare. */
  leaseMs: number;
  /** Consecutive failed attempts after which an endpoint is disabled. */
  disableAfter: number;
  /** How long these failures must have lasted by then; 0 for no matter how long. */
  disableMinOutageMs: number;
  /** Whether a new endpoint, or one with a new host, gets nothing else before it has accepted a test event. */
  verifyEndpoints: boolean;
  /** Hosts that may be called although they are not public. */
  allowedPrivateHosts: ReadonlySet<string>;
  /** The only ports that may be called, except at those hosts; null for all but the blocked ones. */
  allowedPorts: ReadonlySet<number> | null;
  /** The name servers to use, in order of preference; null for the machine's. */
  dnsServers: readonly string[] | null;
  /** Certificates to trust in addition to the public authorities, in PEM form. */
  ca: string | null;
  /** The HTTP proxy that all connections to receivers go through; null for none. Its URL may contain a password. */
  proxy: URL | null;
}

const variables = z.object(webhookVariables);

/**
 * Turns the environment variables into settings.
 * @throws ConfigurationError if there is no key for the secrets.
 */
export function webhookSettings(environment: z.infer<typeof variables>): WebhookSettings {
  const keys = secretKeys(environment);
  if (keys === null) throw new ConfigurationError(`configuration: ${NO_SECRET_KEYS}`);
  return {
    secretKeys: keys,
    retryScheduleMs: environment.WEBHOOK_RETRY_SCHEDULE_MS,
    maxAttempts: environment.WEBHOOK_MAX_ATTEMPTS,
    timeoutMs: environment.WEBHOOK_TIMEOUT_MS,
    leaseMs: TIMEOUTS_A_LEASE * environment.WEBHOOK_TIMEOUT_MS,
    disableAfter: environment.WEBHOOK_DISABLE_AFTER,
    disableMinOutageMs: environment.WEBHOOK_DISABLE_MIN_OUTAGE_MS,
    verifyEndpoints: environment.WEBHOOK_VERIFY_ENDPOINTS,
    allowedPrivateHosts: environment.WEBHOOK_ALLOWED_PRIVATE_HOSTS,
    allowedPorts: environment.WEBHOOK_ALLOWED_PORTS,
    dnsServers: environment.WEBHOOK_DNS_SERVERS,
    ca: environment.WEBHOOK_CA_FILE ?? null,
    proxy: environment.WEBHOOK_PROXY_URL ?? null,
  };
}

/** Whether a proxy URL has a host, no path, and credentials that can be decoded. */
function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return protocol === 'http:' && hostname !== '' && pathname === '/' && search === '' && hash === '';
}

/** Whether Node's resolver accepts this server. Port 0 would make it abort the process. */
function isDnsServer(text: string): boolean {
  const [, ipv6 = '', ipv4 = '', port = '53'] =
    /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return (isIPv6(ipv6) || isIPv4(ipv4)) && Number(port) >= 1 && Number(port) <= 65_535;
}
