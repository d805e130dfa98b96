import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import type { LocalSecrets } from '../files/local-secrets.ts';
import type { CertificateAuthority } from '../servers/certificates.ts';

const DEMO_RECEIVER_HOST = '127.0.0.1';

/** The settings that the stack fills in for the apps. */
export interface AppSettings {
  databaseUrl: string;
  redisUrl: string;
  port: number;
  secrets: LocalSecrets;
  /** PEM bundle of the authorities that the worker trusts when it verifies receivers. */
  caFile: string;
  /** The port and the tokens of the capture port. */
  capturePort: number;
  captureTokens: string;
  /** Whether deliveries may go to the demo's receiver. */
  allowDemoReceiver: boolean;
}

/** Returns the environment of both apps: the given variables, completed and overridden by the settings of the stack. */
export function appEnvironment(given: NodeJS.ProcessEnv, settings: AppSettings): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    ...given,
    DATABASE_URL: settings.databaseUrl,
    REDIS_URL: settings.redisUrl,
    PORT: String(settings.port),
    // Several checkouts may run side by side. The worker announces the port it gets.
    WORKER_PORT: given['WORKER_PORT'] || '0',
    // Lets the links that the stack shows start sessions of the console.
    NODE_ENV: given['NODE_ENV'] || 'development',
    // There is no load balancer to wait for.
    SHUTDOWN_DELAY_MS: given['SHUTDOWN_DELAY_MS'] || '0',
    CAPTURE_PORT: String(settings.capturePort),
    CAPTURE_TOKENS: settings.captureTokens,
    SECRETS_KEY: given['SECRETS_KEY'] || settings.secrets.SECRETS_KEY,
    WEBHOOK_CA_FILE: settings.caFile,
  };
  const sessionSecret = sessionTokenSecret(given, settings.secrets);
  if (sessionSecret !== undefined) environment['SESSION_JWT_SECRET'] = sessionSecret;
  if (settings.allowDemoReceiver) {
    const hosts = given['WEBHOOK_ALLOWED_PRIVATE_HOSTS'];
    environment['WEBHOOK_ALLOWED_PRIVATE_HOSTS'] = hosts
      ? `${hosts},${DEMO_RECEIVER_HOST}`
      : DEMO_RECEIVER_HOST;
  }
  return environment;
}

/** Returns the secret that session tokens are signed with. Undefined if the API has a public key instead. */
export function sessionTokenSecret(given: NodeJS.ProcessEnv, secrets: LocalSecrets): string | undefined {
  if (given['SESSION_JWT_SECRET']) return given['SESSION_JWT_SECRET'];
  const hasPublicKey = given['SESSION_JWT_PUBLIC_KEY'] || given['SESSION_JWT_JWKS_URL'];
  return hasPublicKey ? undefined : secrets.SESSION_JWT_SECRET;
}

/**
 * Writes the file that receivers' certificates are verified with: the stack's authority, and those of `WEBHOOK_CA_FILE` if it
 * is set.
 *
 * @throws ConfigurationError if that file cannot be read.
 */
export async function certificateBundle(
  given: NodeJS.ProcessEnv,
  authority: CertificateAuthority,
  folder: string,
): Promise<string> {
  const theirs = given['WEBHOOK_CA_FILE'];
  if (!theirs) return authority.certificateFile;
  let theirCertificates: string;
  try {
    theirCertificates = await readFile(theirs, 'utf8');
  } catch (error) {
    throw new ConfigurationError(
      `configuration: WEBHOOK_CA_FILE: cannot be read (${(error as Error).message})`,
    );
  }
  const bundleFile = path.join(folder, 'ca-bundle.pem');
  await writeFile(bundleFile, `${theirCertificates.trimEnd()}\n${authority.certificate}`);
  return bundleFile;
}

/**
 * Returns the tokens of the capture port, and the one to show. Without given tokens, it derives one from the checkout's
 * secrets, which is the same after every start.
 */
export function captureAccess(
  given: NodeJS.ProcessEnv,
  { SECRETS_KEY }: LocalSecrets,
): { tokens: string; token: string } {
  const own = createHmac('sha256', SECRETS_KEY).update('capture token').digest('base64url');
  const tokens = given['CAPTURE_TOKENS'] || own;
  const [first = ''] = tokens.split(',');
  return { tokens, token: first.trim().replace(/^\d+:/, '') };
}
