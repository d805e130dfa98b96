import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { setting } from '@deal-signals/runtime/settings';
import { z } from 'zod';
import { secureUrl } from './secure-url.ts';
import type { TokenVerification } from './verify-token.ts';

const MIN_SECRET_CHARACTERS = 32;
const MIN_RSA_BITS = 2048;
/** The current one and, during a rotation, the previous one: more would only verify tokens that should be refused by now. */
const MAX_KEYS = 2;

/** The current key and, while keys are rotated, the previous one, with the only algorithm that they are used with. */
export interface VerificationKeys {
  algorithm: 'HS256' | 'RS256' | 'ES256';
  keys: readonly KeyObject[];
}

/** How session tokens are verified: with keys of the configuration, or with those that their issuer publishes. */
export type SessionVerification = Pick<TokenVerification, 'issuer' | 'audience'> &
  (VerificationKeys | { jwksUrl: string });

const sharedSecret = z
  .string()
  .min(MIN_SECRET_CHARACTERS, `must be at least ${MIN_SECRET_CHARACTERS} characters long`)
  .transform((secret) => createSecretKey(Buffer.from(secret)));

const publicKeys = z.string().transform((pem, context): VerificationKeys => {
  const keys = keysOfPem(pem);
  if (keys !== null) return keys;
  context.addIssue({
    code: 'custom',
    message:
      `must be a public key in PEM form, RSA of at least ${MIN_RSA_BITS} bits or EC on the curve P-256, ` +
      'or two of one algorithm, the current one first',
  });
  return z.NEVER;
});

const ROTATION = '[Keys of session tokens](operations.md#keys-of-session-tokens)';

/** The settings that say how session tokens are verified; part of the app's object. */
export const sessionVariables = {
  SESSION_JWT_SECRET: setting(sharedSecret, {
    about: 'verifies session tokens, by HS256',
    form: `at least ${MIN_SECRET_CHARACTERS} characters`,
    otherwise: 'required, unless `SESSION_JWT_PUBLIC_KEY` or `SESSION_JWT_JWKS_URL` is set',
    isSecret: true,
  }),
  SESSION_JWT_SECRET_PREVIOUS: setting(sharedSecret, {
    about: `a second secret that verifies session tokens, while secrets are rotated: see ${ROTATION}`,
    form: `at least ${MIN_SECRET_CHARACTERS} characters`,
    isSecret: true,
  }),
  SESSION_JWT_PUBLIC_KEY: setting(publicKeys, {
    about: `verifies session tokens, by RS256 or ES256; while keys are rotated, two: see ${ROTATION}`,
    form: `PEM: RSA of at least ${MIN_RSA_BITS} bits, or EC on P-256`,
    otherwise: 'required, unless `SESSION_JWT_SECRET` or `SESSION_JWT_JWKS_URL` is set',
  }),
  SESSION_JWT_JWKS_URL: setting(secureUrl, {
    about: `where the issuer of session tokens publishes its keys (JWKS), so that they are rotated without a restart: see ${ROTATION}`,
    form: 'an `https` URL',
    otherwise: 'required, unless `SESSION_JWT_SECRET` or `SESSION_JWT_PUBLIC_KEY` is set',
  }),
  SESSION_JWT_ISSUER: setting(z.string(), {
    about: 'the `iss` that session tokens must have; set it in production',
    form: 'any text',
    otherwise: 'any issuer',
  }),
  SESSION_JWT_AUDIENCE: setting(z.string(), {
    about: 'the `aud` that session tokens must have; set it in production',
    form: 'any text',
    otherwise: 'any audience',
  }),
};

const variables = z.object(sessionVariables);

/**
 * Turns the environment variables into settings. They are fetched, or there is one current key. While signing keys are rotated, there can be
 * a previous one of the same algorithm, so tokens of both are valid.
 *
 * @param refuse reports that a variable contradicts another one.
 * @returns null if it has reported something.
 */
export function sessionSettings(
  environment: z.infer<typeof variables>,
  refuse: (name: keyof typeof sessionVariables, message: string) => void,
): SessionVerification | null {
  const {
    SESSION_JWT_SECRET: secret,
    SESSION_JWT_SECRET_PREVIOUS: previous,
    SESSION_JWT_PUBLIC_KEY: published,
    SESSION_JWT_JWKS_URL: jwksUrl,
  } = environment;
  if ([secret, published, jwksUrl].filter((given) => given !== undefined).length !== 1) {
    refuse('SESSION_JWT_SECRET', 'set either this or SESSION_JWT_PUBLIC_KEY or SESSION_JWT_JWKS_URL');
    return null;
  }
  if (previous !== undefined && secret === undefined) {
    refuse('SESSION_JWT_SECRET_PREVIOUS', 'needs a SESSION_JWT_SECRET');
    return null;
  }
  const expected = {
    issuer: environment.SESSION_JWT_ISSUER ?? null,
    audience: environment.SESSION_JWT_AUDIENCE ?? null,
  };
  if (jwksUrl !== undefined) return { jwksUrl, ...expected };
  const secrets = [secret, previous].filter((key) => key !== undefined);
  return { ...(published ?? { algorithm: 'HS256', keys: secrets }), ...expected };
}

/** The one or two public keys of a text; null if there are others, or if they are for different algorithms. */
function keysOfPem(pem: string): VerificationKeys | null {
  // Many deployment tools store a variable on one line, with line breaks written as \n.
  const blocks = pem.replaceAll('\\n', '\n').match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  const keys = blocks.map(keyOfPem);
  const [first] = keys;
  if (!first || keys.length > MAX_KEYS) return null;
  return keys.every((key) => key?.algorithm === first.algorithm)
    ? { algorithm: first.algorithm, keys: keys.flatMap((key) => key?.key ?? []) }
    : null;
}

/** Picks the algorithm by the type of the public key; null if the text is not a public key of a supported type. */
function keyOfPem(pem: string): { algorithm: VerificationKeys['algorithm']; key: KeyObject } | null {
  // Node would derive the public key from a private key, but the API must not hold a private key.
  if (pem.includes('PRIVATE KEY')) return null;
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    return null;
  }
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS) return { algorithm: 'RS256', key };
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return { algorithm: 'ES256', key };
  return null;
}
