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

/** The certificates of a file in PEM form, read once at start. */
const certificates = z.string().transform((path, context) => {
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
});

const RECEIVERS = '[Which receivers may be called](operations.md#which-receivers-may-be-called)';

/** The settings of an app that sends webhooks; part of that app's object. */
export const webhookVariables = {
  SECRETS_KEY: setting(secretKeys, {
    about:
      'encrypts signing secrets and custom headers; of several keys, the first encrypts and all decrypt: see [SECRETS_KEY](operations.md#secrets_key)',
    form: '32 bytes in base64 or hexadecimal, or `id:key` pairs separated by commas',
    isRequired: true,
    isSecret: true,
  }),
  WEBHOOK_RETRY_SCHEDULE_MS: setting(retrySchedule, {
    about: 'how long to wait after the first, second … failure; the last wait repeats',
    form: '1 to 100 numbers separated by commas, in ms, none above 30 days',
    preset: CONTRACT_SCHEDULE_MS.join(),
  }),
  WEBHOOK_MAX_ATTEMPTS: wholeNumber({
    least: 1,
    most: 100,
    preset: 8,
    about: 'attempts before a delivery is dead',
  }),
  WEBHOOK_TIMEOUT_MS: wholeNumber({
    least: 1,
    most: 120_000,
    unit: 'ms',
    preset: 10_000,
    about: 'how long one attempt may take, from the DNS lookup to the response',
  }),
  WEBHOOK_DISABLE_MIN_OUTAGE_MS: wholeNumber({
    least: 0,
    most: 30 * 86_400_000,
    unit: 'ms',
    preset: 0,
    about: 'how long the 20 failures in a row that disable an endpoint must have lasted',
  }),
  // The worker removes what is older, and the API replays nothing older: both have to have the same value.
  RETENTION_DAYS: wholeNumber({
    least: 0,
    most: 36_500,
    unit: 'days',
    preset: 90,
    about:
      'how long finished deliveries are kept, with their attempts and events; 0 for ever: see [How long rows are kept](operations.md#how-long-rows-are-kept)',
  }),
  WEBHOOK_VERIFY_ENDPOINTS: flag(
    `whether new endpoints and hosts must accept a test event before anything else is sent: see ${RECEIVERS}`,
  ),
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: setting(allowedPrivateHosts, {
    about: `hosts that may receive webhooks although they are not public: see ${RECEIVERS}`,
    form: 'host names and IP addresses, with or without a port, separated by commas',
    preset: '',
  }),
  WEBHOOK_ALLOWED_PORTS: setting(allowedPorts, {
    about: 'the only ports of other hosts',
    form: 'port numbers separated by commas',
    preset: '',
    otherwise: 'all but those that browsers refuse',
  }),
  WEBHOOK_CA_FILE: setting(certificates, {
    about: 'certificate authorities of receivers, in addition to the public ones',
    form: 'a file in PEM form',
  }),
  WEBHOOK_PROXY_URL: setting(proxy, {
    about:
      'the HTTP proxy that deliveries leave through: see [Deliveries through a proxy](operations.md#deliveries-through-a-proxy)',
    form: '`http://host:port` or `http://user:password@host:port`',
  }),
};

/** How the names begin that are settings of webhooks, and nobody else's variables: see `unknownSettings`. */
export const WEBHOOK_FAMILIES = [
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
/** How long an outcome may take to be recorded while the database fails over; no longer than the attempt itself. */
const MAX_RECORDING_MS = 10_000;
/** The contract tells consumers this number. Whoever wants more patience asks for a time: `WEBHOOK_DISABLE_MIN_OUTAGE_MS`. */
export const DISABLE_AFTER = 20;

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
  /** How much of the lease an attempt needs when it begins, to be made and recorded. */
  leaseNeededMs: number;
  /** Consecutive failed attempts after which an endpoint is disabled. */
  disableAfter: number;
  /** How long these failures must have lasted by then; 0 for no matter how long. */
  disableMinOutageMs: number;
  /** Days for which finished deliveries are kept, with their attempts and events; 0 for ever. */
  retentionDays: number;
  /** Whether a new endpoint, or one with a new host, gets nothing else before it has accepted a test event. */
  verifyEndpoints: boolean;
  /** Hosts that may be called although they are not public. */
  allowedPrivateHosts: ReadonlySet<string>;
  /** The only ports that may be called, except at those hosts; null for all but the blocked ones. */
  allowedPorts: ReadonlySet<number> | null;
  /** Certificates to trust in addition to the public authorities, in PEM form. */
  ca: string | null;
  /** The HTTP proxy that all connections to receivers go through; null for none. Its URL may contain a password. */
  proxy: URL | null;
}

const variables = z.object(webhookVariables);

/** Turns the environment variables into settings. */
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
