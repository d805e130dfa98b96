import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type AppSettings,
  appEnvironment,
  certificateBundle,
  sessionTokenSecret,
} from '../../src/processes/app-environment.ts';
import { openCertificateAuthority } from '../../src/servers/certificates.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const secrets = { SESSION_JWT_SECRET: 'local session secret', SECRETS_KEY: 'local key' };
const settings: AppSettings = {
  databaseUrl: 'postgresql://x',
  redisUrl: 'redis://x',
  port: 3001,
  capturePort: 3003,
  captureTokens: 'token',
  secrets,
  caFile: 'ca.pem',
  allowDemoReceiver: false,
};

describe('the environment of the apps', () => {
  test("passes the given variables through and adds the stack's own", () => {
    const given = { WEBHOOK_MAX_ATTEMPTS: '3', PORT: '3000', DATABASE_URL: 'x', PATH: '/bin' };
    expect(appEnvironment(given, settings)).toEqual({
      WEBHOOK_MAX_ATTEMPTS: '3',
      PATH: '/bin',
      PORT: '3001',
      WORKER_PORT: '0',
      NODE_ENV: 'development',
      SHUTDOWN_DELAY_MS: '0',
      CAPTURE_PORT: '3003',
      CAPTURE_TOKENS: 'token',
      DATABASE_URL: 'postgresql://x',
      REDIS_URL: 'redis://x',
      SECRETS_KEY: 'local key',
      SESSION_JWT_SECRET: 'local session secret',
      WEBHOOK_CA_FILE: 'ca.pem',
    });
  });

  test('keeps given values, and sets no session secret if there is a public key', () => {
    expect(
      appEnvironment(
        { SECRETS_KEY: 'mine', SESSION_JWT_SECRET: 'mine', WORKER_PORT: '9', NODE_ENV: 'production' },
        settings,
      ),
    ).toMatchObject({
      WORKER_PORT: '9',
      NODE_ENV: 'production',
      SHUTDOWN_DELAY_MS: '0',
      SECRETS_KEY: 'mine',
      SESSION_JWT_SECRET: 'mine',
    });
    for (const given of [
      { SESSION_JWT_PUBLIC_KEY: 'pem' },
      { SESSION_JWT_JWKS_URL: 'https://login.example' },
    ]) {
      expect(appEnvironment(given, settings)).not.toHaveProperty('SESSION_JWT_SECRET');
    }
    expect(sessionTokenSecret({ SESSION_JWT_PUBLIC_KEY: 'pem' }, secrets)).toBeUndefined();
  });

  test.each([
    [{}, '127.0.0.1'],
    [{ WEBHOOK_ALLOWED_PRIVATE_HOSTS: '10.0.0.7,hooks.internal' }, '10.0.0.7,hooks.internal,127.0.0.1'],
  ])('allows deliveries to the demo receiver in addition to %j', (given, hosts) => {
    expect(appEnvironment(given, { ...settings, allowDemoReceiver: true })).toHaveProperty(
      'WEBHOOK_ALLOWED_PRIVATE_HOSTS',
      hosts,
    );
  });

  test('combines the certificate authorities of the stack and of the user', async () => {
    const folder = await temporaryFolder();
    const authority = await openCertificateAuthority(folder);
    expect(await certificateBundle({}, authority, folder)).toBe(authority.certificateFile);

    const theirs = path.join(folder, 'theirs.pem');
    await writeFile(theirs, 'THEIR CERTIFICATE');
    const bundle = await certificateBundle({ WEBHOOK_CA_FILE: theirs }, authority, folder);
    expect(await readFile(bundle, 'utf8')).toBe(`THEIR CERTIFICATE\n${authority.certificate}`);

    await expect(certificateBundle({ WEBHOOK_CA_FILE: '/missing.pem' }, authority, folder)).rejects.toThrow(
      /WEBHOOK_CA_FILE: cannot be read/,
    );
  });
});
