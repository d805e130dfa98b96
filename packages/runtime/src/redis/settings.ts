import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { urlWithPassword } from '../read-environment.ts';
import { setting } from '../settings.ts';
import { type RedisAddress, redisAddress } from './address.ts';

/** How a process connects to Redis, and the prefix of its keys. */
export interface RedisSettings {
  address: RedisAddress;
  /** The certificate authorities to trust, in PEM form, instead of those that Node trusts; null for Node's. */
  ca: string | null;
  /** The password of the Sentinels. The password of the data nodes is part of the URL. */
  sentinelPassword: string | null;
  /** Separates the keys of several installations on one Redis. */
  prefix: string;
}

const certificates = z.string().transform((file, context) => {
  try {
    const pem = readFileSync(file, 'utf8');
    void new X509Certificate(pem);
    return pem;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a readable file of certificates in PEM form' });
    return z.NEVER;
  }
});

/** The settings of an app that uses Redis. Each such app includes them in its own settings. */
export const redisVariables = {
  REDIS_URL: setting(redisAddress, {
    about: 'the address of Redis: a single server, Sentinels or a cluster: see [Redis](operations.md#redis)',
    form: '`redis://user@host:port/db`, `redis+sentinel://user@host:port,host:port/name/db` or `redis+cluster://user@host:port,host:port`; `rediss` for TLS',
    isRequired: true,
  }),
  REDIS_PASSWORD: setting(z.string(), {
    about: 'the password, if `REDIS_URL` has none; no character needs escaping here',
    form: 'any text',
    isSecret: true,
  }),
  REDIS_SENTINEL_PASSWORD: setting(z.string(), {
    about: 'the password of the Sentinels',
    form: 'any text',
    isSecret: true,
  }),
  REDIS_CA_FILE: setting(certificates, {
    about: 'the certificate authorities of Redis and its Sentinels',
    form: 'a file in PEM form; with `rediss` only',
    otherwise: 'those that Node trusts',
  }),
  REDIS_PREFIX: setting(
    z.string().regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, hyphens or underscores'),
    {
      about: 'separates the keys of several installations on one Redis; the same for all processes',
      form: '1 to 100 letters, digits, dots, hyphens or underscores',
      preset: 'deal-signals',
    },
  ),
};

type RedisEnvironment = z.output<z.ZodObject<typeof redisVariables>>;

/** Rejects variables that do not match `REDIS_URL` and would have no effect. */
export function checkRedisVariables(
  { REDIS_URL: address, REDIS_CA_FILE: ca, REDIS_SENTINEL_PASSWORD: sentinelPassword }: RedisEnvironment,
  context: z.core.$RefinementCtx,
): void {
  const reject = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (ca !== undefined && !address.isTls) {
    reject('REDIS_CA_FILE', 'needs a REDIS_URL that begins with rediss');
  }
  if (sentinelPassword !== undefined && address.kind !== 'sentinel') {
    reject('REDIS_SENTINEL_PASSWORD', 'needs a REDIS_URL that begins with redis+sentinel or rediss+sentinel');
  }
}

/** Converts the variables to settings. */
export function redisSettings(environment: RedisEnvironment): RedisSettings {
  return {
    address: withPassword(environment.REDIS_URL, environment.REDIS_PASSWORD),
    ca: environment.REDIS_CA_FILE ?? null,
    sentinelPassword: environment.REDIS_SENTINEL_PASSWORD ?? null,
    prefix: environment.REDIS_PREFIX,
  };
}

/** Adds a password that was configured separately to an address. An address that already has a password keeps it. */
function withPassword(address: RedisAddress, password: string | undefined): RedisAddress {
  if (password === undefined) return address;
  if (address.kind === 'single') return { ...address, url: urlWithPassword(address.url, password) };
  return { ...address, credentials: { password, ...address.credentials } };
}
