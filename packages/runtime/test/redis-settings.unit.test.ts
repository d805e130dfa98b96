import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { readEnvironment } from '../src/read-environment.ts';
import { checkRedisVariables, redisSettings, redisVariables } from '../src/redis/settings.ts';

const read = (environment: NodeJS.ProcessEnv) =>
  redisSettings(readEnvironment(z.object(redisVariables).superRefine(checkRedisVariables), environment));

test.each([
  ['redis://localhost', { kind: 'single', url: 'redis://localhost', isTls: false }],
  ['rediss://u:p@h:1/3?family=6', { kind: 'single', url: 'rediss://u:p@h:1/3?family=6', isTls: true }],
  [
    'redis+sentinel://a,b:1,[::1]:2/mymaster',
    {
      kind: 'sentinel',
      sentinels: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 1 },
        { host: '::1', port: 2 },
      ],
      primary: 'mymaster',
      db: 0,
      credentials: {},
      isTls: false,
    },
  ],
  [
    'rediss+sentinel://app:p%40ss:w%2Frd@a:1/my-master.2/15',
    {
      kind: 'sentinel',
      sentinels: [{ host: 'a', port: 1 }],
      primary: 'my-master.2',
      db: 15,
      credentials: { username: 'app', password: 'p@ss:w/rd' },
      isTls: true,
    },
  ],
  [
    'REDISS+CLUSTER://a, b',
    {
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 6_379 },
        { host: 'b', port: 6_379 },
      ],
      credentials: {},
      isTls: true,
    },
  ],
  [
    'redis+cluster://:secret@a,b:7000/',
    {
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 6_379 },
        { host: 'b', port: 7_000 },
      ],
      credentials: { password: 'secret' },
      isTls: false,
    },
  ],
])('%s', (url, address) => {
  expect(read({ REDIS_URL: url })).toEqual({
    address,
    ca: null,
    sentinelPassword: null,
    prefix: 'deal-signals',
  });
});

test.each([
  [undefined, /^configuration: REDIS_URL: must be redis:\/\/host:port, /],
  ['http://hidden', /REDIS_URL: must be redis:\/\//],
  ['redis+cluster://hidden:1/3', /REDIS_URL: redis\+cluster:\/\/ must not have a path or a database number/],
  ['redis+sentinel://hidden:1', /REDIS_URL: redis\+sentinel:\/\/ must end with the name of the primary/],
  [
    'redis+sentinel://hidden:1/m/x',
    /REDIS_URL: redis\+sentinel:\/\/ must have nothing but a database number/,
  ],
  [
    'redis+sentinel://hidden:1/m/0/1',
    /REDIS_URL: redis\+sentinel:\/\/ must have nothing but a database number/,
  ],
  ['redis+sentinel://hidden:1/m?db=3', /REDIS_URL: redis\+sentinel:\/\/ must not have parameters/],
  ['redis://hidden:1,hidden:2', /REDIS_URL: must begin with redis\+sentinel:\/\//],
  ['redis://hidden/mymaster', /REDIS_URL: must have nothing but a database number after the host/],
  ['redis+cluster://hidden:1,:2', /REDIS_URL: must list its servers as host:port/],
  ['redis+cluster://hidden:0', /REDIS_URL: must list its servers as host:port/],
  ['redis://hidden:70000', /REDIS_URL: must be redis:\/\//],
  ['redis://hidden:0', /REDIS_URL: must be redis:\/\//],
  ['redis://hidden?db=first', /REDIS_URL: db must be a database number/],
  ['redis://hidden?db=', /REDIS_URL: db must be a database number/],
  ['redis+cluster://hidden:70000', /REDIS_URL: must list its servers as host:port/],
  ['redis+cluster://hidden%zz@a', /REDIS_URL: must have percent-encoded credentials/],
  // With this URL, the client would throw when it connects.
  ['redis://:hidden50%@a', /REDIS_URL: must have percent-encoded credentials/],
])('%s is rejected with a message that does not contain it', (url, message) => {
  const problem = findProblem({ REDIS_URL: url });
  expect(problem).toMatch(message);
  expect(problem).not.toContain('hidden');
});

test('REDIS_PASSWORD completes an address without a password', () => {
  const address = (url: string) => read({ REDIS_URL: url, REDIS_PASSWORD: 'p/w' }).address;
  expect(address('redis://app@a')).toMatchObject({ url: 'redis://app:p%2Fw@a' });
  expect(address('redis+sentinel://app@a/m')).toMatchObject({
    credentials: { username: 'app', password: 'p/w' },
  });
  expect(address('redis+cluster://:@a')).toMatchObject({ credentials: { password: 'p/w' } });
  expect(address('redis+cluster://:own@a')).toMatchObject({ credentials: { password: 'own' } });
});

test('variables without an effect are rejected', () => {
  expect(
    findProblem({
      REDIS_URL: 'redis://a',
      REDIS_CA_FILE: import.meta.filename,
      REDIS_SENTINEL_PASSWORD: 'x',
    }),
  ).toMatch(/REDIS_CA_FILE: must be a readable file of certificates in PEM form/);
  expect(findProblem({ REDIS_URL: 'redis+cluster://a', REDIS_SENTINEL_PASSWORD: 'x' })).toMatch(
    /REDIS_SENTINEL_PASSWORD: needs a REDIS_URL that begins with redis\+sentinel/,
  );
});

test('a certificate authority requires TLS, and a Sentinel password requires Sentinels', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-signals-redis-'));
  const REDIS_CA_FILE = path.join(folder, 'ca.pem');
  const [ca = ''] = rootCertificates;
  await writeFile(REDIS_CA_FILE, ca);
  try {
    expect(
      read({ REDIS_URL: 'rediss+sentinel://a/m', REDIS_CA_FILE, REDIS_SENTINEL_PASSWORD: 'x' }),
    ).toMatchObject({ ca, sentinelPassword: 'x' });
    expect(findProblem({ REDIS_URL: 'redis://a', REDIS_CA_FILE })).toMatch(
      /REDIS_CA_FILE: needs a REDIS_URL that begins with rediss/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a prefix must not contain braces, which mark the hash tag of a key', () => {
  expect(read({ REDIS_URL: 'redis://a', REDIS_PREFIX: 'eu.west-1' }).prefix).toBe('eu.west-1');
  for (const prefix of ['a b', '{a', 'a{b}', '{}', '{a}', 'x'.repeat(101)]) {
    expect(findProblem({ REDIS_URL: 'redis://a', REDIS_PREFIX: prefix })).toMatch(/REDIS_PREFIX: must be/);
  }
});

function findProblem(environment: NodeJS.ProcessEnv): string {
  try {
    read(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
