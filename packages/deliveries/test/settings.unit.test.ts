import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { readEnvironment } from '@deal-signals/runtime/read-environment';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { webhookSettings, webhookVariables } from '../src/settings.ts';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const read = (environment: NodeJS.ProcessEnv) =>
  webhookSettings(readEnvironment(z.object(webhookVariables), { SECRETS_KEY, ...environment }));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-signals-settings-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the defaults are the values of the contract', () => {
  expect(read({})).toMatchObject({
    maxAttempts: 8,
    timeoutMs: 10_000,
    disableAfter: 20,
    disableMinOutageMs: 0,
    verifyEndpoints: false,
    allowedPrivateHosts: new Set(),
    allowedPorts: null,
    proxy: null,
    ca: null,
  });
});

test('each variable sets its own field', () => {
  expect(
    read({
      WEBHOOK_MAX_ATTEMPTS: '3',
      WEBHOOK_TIMEOUT_MS: '40',
      WEBHOOK_DISABLE_MIN_OUTAGE_MS: '60',
      WEBHOOK_VERIFY_ENDPOINTS: 'true',
    }),
  ).toMatchObject({
    maxAttempts: 3,
    timeoutMs: 40,
    leaseMs: 120,
    disableMinOutageMs: 60,
    verifyEndpoints: true,
  });
});

test('allowed hosts are stored in the form in which they are compared', () => {
  const { allowedPrivateHosts } = read({
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.1, LocalHost.,::1,[fd00:0::1]',
  });
  expect([...allowedPrivateHosts]).toEqual(['127.0.0.1', 'localhost', '::1', 'fd00::1']);
});

test('a host with a port is kept with its port, and ports are numbers', () => {
  const { allowedPrivateHosts, allowedPorts } = read({
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.1:8443,LocalHost.:443,[::1]:65535',
    WEBHOOK_ALLOWED_PORTS: '443, 8443',
  });
  expect([...allowedPrivateHosts]).toEqual(['127.0.0.1 8443', 'localhost 443', '::1 65535']);
  expect(allowedPorts).toEqual(new Set([443, 8443]));
});

test.each([
  ...['localhost:0', 'localhost:65536', 'localhost:', ':443', 'localhost:https', '[::1]:0', '::1:443x'].map(
    (hosts) => ({
      WEBHOOK_ALLOWED_PRIVATE_HOSTS: hosts,
    }),
  ),
  ...['0', '65536', 'https', '443-445'].map((ports) => ({ WEBHOOK_ALLOWED_PORTS: ports })),
])('%j is rejected', (environment) => {
  expect(() => read(environment)).toThrow(/must be/);
});

test('a proxy may have a port and credentials, which errors do not contain', () => {
  const { proxy } = read({ WEBHOOK_PROXY_URL: 'http://us%20er:p%40ss@proxy.internal:3128' });
  expect(proxy).toEqual(new URL('http://us%20er:p%40ss@proxy.internal:3128/'));
  expect(() => read({ WEBHOOK_PROXY_URL: 'https://user:hunter2@proxy.internal' })).toThrow(
    /^(?!.*hunter2).*WEBHOOK_PROXY_URL/,
  );
});

test('all certificates of a file are read, without the text between them', async () => {
  const [first = '', second = ''] = rootCertificates;
  const file = path.join(folder, 'two.pem');
  await writeFile(file, `first\n${first}\nsecond\n${second}\n`);
  expect(read({ WEBHOOK_CA_FILE: file }).ca).toBe(`${first}\n${second}`);
});

describe('an invalid value is reported with its variable', () => {
  test.each([
    ['SECRETS_KEY', 'short'],
    ['WEBHOOK_RETRY_SCHEDULE_MS', '30s'],
    ['WEBHOOK_MAX_ATTEMPTS', '0'],
    ['WEBHOOK_TIMEOUT_MS', '0'],
    ['WEBHOOK_DISABLE_MIN_OUTAGE_MS', '-1'],
    ['WEBHOOK_ALLOWED_PRIVATE_HOSTS', 'https://127.0.0.1'],
    ['WEBHOOK_ALLOWED_PRIVATE_HOSTS', '127.0.0.1:84430'],
    ['WEBHOOK_ALLOWED_PRIVATE_HOSTS', '10.0.0.0/8'],
    ['WEBHOOK_ALLOWED_PRIVATE_HOSTS', 'a..b'],
    ['WEBHOOK_CA_FILE', '/nowhere.pem'],
    ['WEBHOOK_PROXY_URL', 'proxy.internal:3128'],
    ['WEBHOOK_PROXY_URL', 'https://proxy.internal:3128'],
    ['WEBHOOK_PROXY_URL', 'socks5://proxy.internal'],
    ['WEBHOOK_PROXY_URL', 'http://proxy.internal/path'],
    ['WEBHOOK_PROXY_URL', 'http://proxy.internal/?a=b'],
    ['WEBHOOK_PROXY_URL', 'http://user:%E0%A4%A@proxy.internal'],
  ])('%s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name}: must be`);
  });

  test.each([
    ['without a certificate', ''],
    ['with a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  ])('a WEBHOOK_CA_FILE %s', async (_what, text) => {
    const file = path.join(folder, 'bad.pem');
    await writeFile(file, text);
    expect(() => read({ WEBHOOK_CA_FILE: file })).toThrow('WEBHOOK_CA_FILE: must be');
  });
});
