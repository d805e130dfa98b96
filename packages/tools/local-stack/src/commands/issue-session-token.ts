import { parseArgs } from 'node:util';
import { ADMIN_PERMISSION, sessionParties, signSessionToken } from '../demo/sign-session-token.ts';
import { readLocalSecrets } from '../files/local-secrets.ts';

const USAGE =
  'usage: pnpm session-token --company N [--user N] [--permissions a,b] [--ttl seconds]\n' +
  `defaults: --user 1 --permissions ${ADMIN_PERMISSION} --ttl 3600`;
/** The largest id that fits into the database column. */
const MAX_ID = 2_147_483_647;
const MAX_TTL_SECONDS = 10 * 365 * 24 * 60 * 60;

/**
 * Signs the admin session token that the arguments describe, with `SESSION_JWT_SECRET` or else with the secret that this
 * checkout's stack generated. The token has the issuer and the audience of `SESSION_JWT_ISSUER` and `SESSION_JWT_AUDIENCE`, if
 * they are set.
 *
 * @throws Error that names the invalid flag, or lists the ways to provide a secret.
 */
export async function issueSessionToken(
  args: string[],
  environment: NodeJS.ProcessEnv,
  localFolder: string,
): Promise<string> {
  const secret = await findSecret(environment, localFolder);
  return signSessionToken(readClaims(args), secret, sessionParties(environment));
}

function readClaims(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      strict: true,
      options: {
        company: { type: 'string' },
        user: { type: 'string', default: '1' },
        permissions: { type: 'string', default: ADMIN_PERMISSION },
        ttl: { type: 'string', default: '3600' },
      },
    });
    return {
      companyId: wholeNumber('--company', values.company, MAX_ID),
      userId: wholeNumber('--user', values.user, MAX_ID),
      ttlSeconds: wholeNumber('--ttl', values.ttl, MAX_TTL_SECONDS),
      permissions: values.permissions
        .split(',')
        .map((permission) => permission.trim())
        .filter((permission) => permission !== ''),
    };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}

function wholeNumber(flag: string, text: string | undefined, maximum: number): number {
  if (text === undefined) throw new Error(`${flag} is missing`);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > maximum) {
    throw new Error(`${flag} must be a whole number from 1 to ${maximum}, not "${text}"`);
  }
  return value;
}

async function findSecret(environment: NodeJS.ProcessEnv, localFolder: string): Promise<string> {
  const given = environment['SESSION_JWT_SECRET'];
  if (given) return given;
  if (environment['SESSION_JWT_PUBLIC_KEY']) {
    throw new Error(
      'only SESSION_JWT_PUBLIC_KEY is set, and a public key cannot sign: ' +
        'sign the token with the private key yourself, or set SESSION_JWT_SECRET',
    );
  }
  const kept = await readLocalSecrets(localFolder);
  if (kept === undefined) {
    throw new Error(
      'there is no secret to sign with: start the stack once with "pnpm start", or set SESSION_JWT_SECRET',
    );
  }
  return kept.SESSION_JWT_SECRET;
}
