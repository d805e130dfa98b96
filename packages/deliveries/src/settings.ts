import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { commaSeparated, flag, setting, wholeNumber } from '@deal-signals/runtime/settings';
import { privateHostEntry } from '@deal-signals/sending/guard/private-hosts';
import { secretKeys, type SecretKeys } from '@deal-signals/sending/secrets/secret-keys';
import { z } from 'zod';
import { CONTRACT_SCHEDULE_MS, retrySchedule } from './attempts/retry-schedule.ts';

const allowedPrivateHosts = commaSeparated
  .refine((hosts) => hosts.every((host) => privateHostEntry(host) !== null), {
    message:
      'must be host names or IP addresses, with or without a port, separated by commas, without scheme or path',
  })
  .transform((hosts): ReadonlySet<string> => new Set(hosts.map((host) => privateHostEntry(host) ?? '')));

const allowedPorts = commaSeparated
  .refine(
    (ports) => ports.every((port) => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535),
    {
      message: 'must be port numbers from 1 to 65535, separated by commas',
    },
  )
  .transform((ports): ReadonlySet<number> | null => (ports.length > 0 ? new Set(ports.map(Number)) : null));

const proxy = z
  .string()
  .refine(isProxyUrl, 'must be http://host:port or http://user:password@host:port')
  .transform((url) => new URL(url));

/** The PEM certificates of a file, read once at startup. */
const certificates = z.string().transform((path, context) => {
  try {
    const pem = readFileSync(path, 'utf8');
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (blocks.length === 0) throw new Error('the file contains no certificate');
    for (const block of blocks) void new X509Certificate(block);
    return blocks.join('\n');
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a readable file of certificates in PEM form' });
    return z.NEVER;
  }
});

const RECEIVERS = '[Which receivers may be called](operations.md#which-receivers-may-be-called)';

/** The settings of an app that sends webhooks. Each such app includes them in its own settings. */
export const webhookVariables = {
  SECRETS_KEY: setting(secretKeys, {
    about:
      'encrypts signing secrets and custom headers; with several keys, the first encrypts and all of them decrypt: see [SECRETS_KEY](operations.md#secrets_key)',
    form: '32 bytes in base64 or hexadecimal, or `id:key` pairs separated by commas',
    isRequired: true,
    isSecret: true,
  }),
  WEBHOOK_RETRY_SCHEDULE_MS: setting(retrySchedule, {
    about: 'the waits after the first, second … failure; the last wait repeats',
    form: '1 to 100 numbers separated by commas, in ms, none above 30 days',
    preset: CONTRACT_SCHEDULE_MS.join(),
  }),
  WEBHOOK_MAX_ATTEMPTS: wholeNumber({
    min: 1,
    max: 100,
    preset: 8,
    about: 'maximum attempts before a delivery is dead',
  }),
  WEBHOOK_TIMEOUT_MS: wholeNumber({
    min: 1,
    max: 120_000,
    unit: 'ms',
    preset: 10_000,
    about: 'the timeout of one attempt, from the DNS lookup to the response',
  }),
  WEBHOOK_DISABLE_MIN_OUTAGE_MS: wholeNumber({
    min: 0,
    max: 30 * 86_400_000,
    unit: 'ms',
    preset: 0,
    about: 'the minimum duration of the 20 consecutive failures that disable an endpoint',
  }),
  // The worker removes what is older, and the API replays nothing older: both have to have the same value.
  RETENTION_DAYS: wholeNumber({
    min: 0,
    max: 36_500,
    unit: 'days',
    preset: 90,
    about:
      'how long finished deliveries are kept, with their attempts and events; 0 for ever: see [How long rows are kept](operations.md#how-long-rows-are-kept)',
  }),
  WEBHOOK_VERIFY_ENDPOINTS: flag(
    `require new endpoints and hosts to accept a test event before anything else is sent: see ${RECEIVERS}`,
  ),
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: setting(allowedPrivateHosts, {
    about: `private hosts that may receive webhooks: see ${RECEIVERS}`,
    form: 'host names and IP addresses, with or without a port, separated by commas',
    preset: '',
  }),
  WEBHOOK_ALLOWED_PORTS: setting(allowedPorts, {
    about: 'the only ports that other hosts may receive webhooks on',
    form: 'port numbers separated by commas',
    preset: '',
    otherwise: 'all except those that browsers block',
  }),
  WEBHOOK_CA_FILE: setting(certificates, {
    about: 'certificate authorities to trust for receivers, in addition to the public ones',
    form: 'a file in PEM form',
  }),
  WEBHOOK_PROXY_URL: setting(proxy, {
    about:
      'the HTTP proxy for deliveries: see [Deliveries through a proxy](operations.md#deliveries-through-a-proxy)',
    form: '`http://host:port` or `http://user:password@host:port`',
  }),
};

/** The prefixes of names that are always meant as webhook settings: see `unknownSettings`. */
export const WEBHOOK_PREFIXES = [
  'RETENTION_DAYS',
  'SECRETS_KEY',
  'WEBHOOK_ALLOWED_',
  'WEBHOOK_DISABLE_',
  'WEBHOOK_MAX_ATTEMPTS',
  'WEBHOOK_RETRY_',
  'WEBHOOK_TIMEOUT',
  'WEBHOOK_VERIFY_',
];

const TIMEOUTS_A_LEASE = 3;
/** How long recording an outcome may take while the database fails over, at most as long as the attempt itself. */
const MAX_RECORDING_MS = 10_000;
/** The contract promises this number. Operators who need a longer delay set `WEBHOOK_DISABLE_MIN_OUTAGE_MS`. */
export const DISABLE_AFTER = 20;

/** How webhooks are signed, sent and retried. */
export interface WebhookSettings {
  /** The keys that encrypt and decrypt signing secrets and custom headers. */
  secretKeys: SecretKeys;
  /** The waits after the first, second … failure. */
  retryScheduleMs: readonly number[];
  /** Maximum attempts of one delivery, including the first. */
  maxAttempts: number;
  /** The timeout of one exchange with a receiver. */
  timeoutMs: number;
  /** How long a claim lasts: one timeout for the queue, one for the attempt, and one as a reserve. */
  leaseMs: number;
  /** How much of the lease must be left when an attempt begins, so that it can be made and recorded. */
  leaseNeededMs: number;
  /** Consecutive failed attempts after which an endpoint is disabled. */
  disableAfter: number;
  /** How long these failures must have lasted by then; 0 for any time. */
  disableMinOutageMs: number;
  /** Days for which finished deliveries are kept, with their attempts and events; 0 for ever. */
  retentionDays: number;
  /** Whether a new endpoint, or one with a new host, must accept a test event before anything else is sent to it. */
  verifyEndpoints: boolean;
  /** Hosts that may be called although they are not public. */
  allowedPrivateHosts: ReadonlySet<string>;
  /** The only ports that may be called, except at those hosts; null for all except the blocked ones. */
  allowedPorts: ReadonlySet<number> | null;
  /** Certificates to trust in addition to the public authorities, in PEM form. */
  ca: string | null;
  /** The HTTP proxy for all connections to receivers; null for none. Its URL may contain a password. */
  proxy: URL | null;
}

const variables = z.object(webhookVariables);

/** Converts the environment variables to settings. */
export function webhookSettings(environment: z.infer<typeof variables>): WebhookSettings {
  return {
    secretKeys: environment.SECRETS_KEY,
    retryScheduleMs: environment.WEBHOOK_RETRY_SCHEDULE_MS,
    maxAttempts: environment.WEBHOOK_MAX_ATTEMPTS,
    timeoutMs: environment.WEBHOOK_TIMEOUT_MS,
    leaseMs: TIMEOUTS_A_LEASE * environment.WEBHOOK_TIMEOUT_MS,
    leaseNeededMs:
      environment.WEBHOOK_TIMEOUT_MS + Math.min(environment.WEBHOOK_TIMEOUT_MS, MAX_RECORDING_MS),
    disableAfter: DISABLE_AFTER,
    disableMinOutageMs: environment.WEBHOOK_DISABLE_MIN_OUTAGE_MS,
    retentionDays: environment.RETENTION_DAYS,
    verifyEndpoints: environment.WEBHOOK_VERIFY_ENDPOINTS,
    allowedPrivateHosts: environment.WEBHOOK_ALLOWED_PRIVATE_HOSTS,
    allowedPorts: environment.WEBHOOK_ALLOWED_PORTS,
    ca: environment.WEBHOOK_CA_FILE ?? null,
    proxy: environment.WEBHOOK_PROXY_URL ?? null,
  };
}

/** Reports whether a proxy URL has a host, no path, and credentials that can be decoded. */
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
