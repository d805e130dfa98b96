import { randomBytes } from 'node:crypto';
import { urlWithPassword } from '@deal-signals/runtime/read-environment';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { composeServices, environmentOf, interpolate } from '../../src/images/compose-file.ts';

// Tests parts of the compose file that a run of the images (test/images) does not show: other values, and what it must not
// contain.

const services = composeServices();

describe('the passwords of the compose file', () => {
  afterEach(() => {
    delete process.env['PGPASSWORD'];
  });

  const AWKWARD = [
    '/+=@#?&%:;$!',
    '%2F',
    'with space',
    '"quoted"',
    "'single'",
    '\\back\\slash',
    'ключ🔑',
    '${HOME}',
    '--flag',
  ];
  const random = Array.from({ length: 200 }, () => randomBytes(24).toString('base64'));
  const passwords = [...random, ...AWKWARD];

  test('contain characters that would break a URL', () => {
    for (const character of '/+') {
      expect(random.filter((password) => password.includes(character)).length).toBeGreaterThan(20);
    }
  });

  test('reach PostgreSQL unchanged', () => {
    for (const password of passwords) {
      const variables = {
        APP_PASSWORD: password,
        OWNER_PASSWORD: `${password}-owner`,
        POSTGRES_PASSWORD: 'superuser',
        REDIS_PASSWORD: 'redis',
        SECRETS_KEY: 'key',
        CAPTURE_TOKENS: 'tokens',
        SESSION_JWT_ISSUER: '',
        SESSION_JWT_AUDIENCE: '',
      };
      // The variables with which `postgres-roles.sql` creates the two roles.
      expect(environmentOf(services.postgres, variables)).toMatchObject({
        APP_PASSWORD: password,
        OWNER_PASSWORD: `${password}-owner`,
      });
      for (const [service, user, own] of [
        ['api', 'signals_app', password],
        ['worker', 'signals_app', password],
        ['migrate', 'signals_owner', `${password}-owner`],
      ] as const) {
        const environment = environmentOf(services[service], variables);
        process.env['PGPASSWORD'] = environment['PGPASSWORD'];
        const client = new Client({ connectionString: environment['DATABASE_URL'] });
        expect([client.user, client.password, client.host, client.port, client.database]).toEqual([
          user,
          own,
          'postgres',
          5432,
          'deal_signals',
        ]);
      }
    }
  });

  test('reach Redis unchanged', () => {
    for (const password of passwords) {
      const variables = {
        REDIS_PASSWORD: password,
        APP_PASSWORD: 'app',
        SECRETS_KEY: 'key',
        CAPTURE_TOKENS: 't',
        SESSION_JWT_ISSUER: '',
        SESSION_JWT_AUDIENCE: '',
      };
      // system/compose-redis.test.ts shows how the server uses it.
      expect(environmentOf(services.redis, variables)['REDISCLI_AUTH']).toBe(password);
      for (const service of ['api', 'worker'] as const) {
        const environment = environmentOf(services[service], variables);
        const url = urlWithPassword(environment['REDIS_URL'] ?? '', environment['REDIS_PASSWORD']);
        const { options } = new Redis(url, { lazyConnect: true });
        expect([options.host, options.port, options.password]).toEqual(['redis', 6379, password]);
      }
    }
  });
});

test('no command line contains a setting, because every process on a machine can read it', () => {
  for (const [name, { command = [], healthcheck }] of Object.entries(services)) {
    const words = [...command, ...(healthcheck?.test ?? [])];
    // A shell in the container expands `$$NAME`.
    expect([name, words.filter((word) => /\$/.test(word.replaceAll('$$', '')))]).toEqual([name, []]);
  }
});

test.each(['SESSION_JWT_ISSUER', 'SESSION_JWT_AUDIENCE'])('%s has to be set, even if it is empty', (name) => {
  const given = String(services.api.environment[name]);
  expect(() => interpolate(given, {})).toThrow(name);
  expect(interpolate(given, { [name]: '' })).toBe('');
  expect(interpolate(given, { [name]: 'https://app.example.com' })).toBe('https://app.example.com');
});

test.each(Object.entries(services))('%s is confined and has a memory limit', (_name, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    pids_limit: 256,
    mem_limit: expect.stringMatching(/^(\$\{[A-Z]+_MEMORY:-)?\d+[mg]\}?$/),
  });
});

describe('the servers of the compose file', () => {
  test('restart when they end, except the migrations', () => {
    const restart = Object.entries(services).map(([name, service]) => [name, service.restart]);
    expect(Object.fromEntries(restart)).toEqual({
      postgres: 'unless-stopped',
      redis: 'unless-stopped',
      migrate: 'no',
      api: 'unless-stopped',
      worker: 'unless-stopped',
    });
  });

  test('publish only the port of the API, on this machine unless another address is given', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port.target, interpolate(port.host_ip, {})]),
    );
    expect(published).toEqual([['api', 3000, '127.0.0.1']]);
  });
});
