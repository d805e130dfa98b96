import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { flag, wholeNumber } from '@deal-signals/runtime/read-environment';
import { z } from 'zod';
import type { SessionVerification } from './session.ts';

const LEAST_SECRET_CHARACTERS = 32;
const LEAST_RSA_BITS = 2048;
const DAY_SECONDS = 24 * 60 * 60;
const MOST_AGE_SECONDS = 10 * 365 * 24 * 60 * 60;

/** A key that verifies session tokens, and the only algorithm that it is used with. */
interface VerificationKey {
  algorithm: SessionVerification['algorithm'];
  key: KeyObject;
}

const sharedSecret = z
  .string()
  .min(LEAST_SECRET_CHARACTERS, `must be at least ${LEAST_SECRET_CHARACTERS} characters long`)
  .transform((secret): VerificationKey => ({ algorithm: 'HS256', key: createSecretKey(Buffer.from(secret)) }))
  .optional();

const publicKey = z
  .string()
  .transform((pem, context): VerificationKey => {
    const verification = keyOfPem(pem);
    if (verification !== null) return verification;
    context.addIssue({
      code: 'custom',
      message: `must be a public key in PEM form: RSA of at least ${LEAST_RSA_BITS} bits, or EC on the curve P-256`,
    });
    return z.NEVER;
  })
  .optional();

/** The environment variables that say how session tokens are verified; part of the app's configuration. */
export const sessionVariables = {
  SESSION_JWT_SECRET: sharedSecret,
  SESSION_JWT_SECRET_PREVIOUS: sharedSecret,
  SESSION_JWT_PUBLIC_KEY: publicKey,
  SESSION_JWT_PUBLIC_KEY_PREVIOUS: publicKey,
  SESSION_JWT_ISSUER: z.string().optional(),
  SESSION_JWT_AUDIENCE: z.string().optional(),
  SESSION_MAX_AGE: wholeNumber(1, MOST_AGE_SECONDS, DAY_SECONDS),
  SESSION_KNOWN_USERS: flag,
};

const variables = z.object(sessionVariables);

/**
 * Turns the environment variables into settings. There is one current key. While signing keys are rotated, there can be
 * a previous one of the same algorithm, so tokens of both are valid.
 *
 * @param refuse reports that a variable contradicts another one.
 * @returns null if it has reported something.
 */
export function sessionSettings(
  environment: z.infer<typeof variables>,
  refuse: (name: keyof typeof sessionVariables, message: string) => void,
): SessionVerification | null {
  const { SESSION_JWT_SECRET: secret, SESSION_JWT_PUBLIC_KEY: pem } = environment;
  const current = secret ?? pem;
  if (current === undefined || (secret !== undefined && pem !== undefined)) {
    refuse('SESSION_JWT_SECRET', 'set either this or SESSION_JWT_PUBLIC_KEY');
    return null;
  }
  for (const name of ['SESSION_JWT_SECRET_PREVIOUS', 'SESSION_JWT_PUBLIC_KEY_PREVIOUS'] as const) {
    const { algorithm = current.algorithm } = environment[name] ?? {};
    if (algorithm !== current.algorithm) {
      refuse(name, `must be of the same kind as the current key, which is for ${current.algorithm}`);
      return null;
    }
  }
  const previous = environment.SESSION_JWT_SECRET_PREVIOUS ?? environment.SESSION_JWT_PUBLIC_KEY_PREVIOUS;
  return {
    algorithm: current.algorithm,
    keys: previous === undefined ? [current.key] : [current.key, previous.key],
    issuer: environment.SESSION_JWT_ISSUER ?? null,
    audience: environment.SESSION_JWT_AUDIENCE ?? null,
    maxAgeSeconds: environment.SESSION_MAX_AGE,
    knownUsersOnly: environment.SESSION_KNOWN_USERS,
  };
}

/** Picks the algorithm by the type of the public key; null if the text is not a public key of a supported type. */
function keyOfPem(pem: string): VerificationKey | null {
  // Node would derive the public key from a private key, but the API must not hold a private key.
  if (pem.includes('PRIVATE KEY')) return null;
  let key: KeyObject;
  try {
    // Many deployment tools store a variable on one line, with line breaks written as \n.
    key = createPublicKey(pem.replaceAll('\\n', '\n'));
  } catch {
    return null;
  }
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= LEAST_RSA_BITS) return { algorithm: 'RS256', key };
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return { algorithm: 'ES256', key };
  return null;
}
