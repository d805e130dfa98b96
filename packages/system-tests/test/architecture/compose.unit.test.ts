import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { urlWithPassword } from '@deal-signals/runtime/read-environment';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { parse } from 'yaml';

// There is no Docker engine in most places where the tests run, so this reads what the compose file gives each container.

const read = (file: string) => readFileSync(path.join(REPOSITORY_ROOT, file), 'utf8');

interface Service {
  environment: Record<string, string | number>;
  command?: string[];
  restart: string;
  ports?: { target: number; published: string; host_ip: string }[];
  healthcheck?: { test: string[] };
  build?: { target: string };
  stop_grace_period?: string;
}

const { services } = parse(read('docker/compose.yaml'), { merge: true }) as {
  services: Record<'postgres' | 'redis' | 'migrate' | 'api' | 'worker', Service>;
};

/**
 * Replaces variables as Compose does: `${NAME:-default}`, `${NAME:?message}` and `${NAME:+alternative}`, and `${NAME?message}`,
 * which may be empty.
 */
function interpolate(text: string, variables: Record<string, string>): string {
  return text.replaceAll(
    /\$\{(\w+)(:?)([-?+])([^}]*)\}/g,
    (_whole, name: string, colon: string, operator: string, word: string) => {
      const value = variables[name];
      const isMissing = value === undefined || (value === '' && colon === ':');
      if (operator === '+') return isMissing ? '' : word;
      if (isMissing && operator === '?') throw new Error(`${name}: ${word}`);
      return isMissing ? word : value;
    },
  );
}

/** The environment of a container, when somebody has set these variables before `docker compose up`. */
function environmentOf(service: Service, variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) => [name, interpolate(String(value), variables)]),
  );
}

describe('passwords', () => {
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

  test('the random passwords contain what breaks a URL', () => {
    for (const character of '/+') {
      expect(random.filter((password) => password.includes(character)).length).toBeGreaterThan(20);
    }
  });

  test('reach PostgreSQL as they were set', () => {
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
      // What `postgres-roles.sql` gives the two roles.
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

  test('reach Redis as they were set', () => {
    for (const password of passwords) {
      const variables = {
        REDIS_PASSWORD: password,
        APP_PASSWORD: 'app',
        SECRETS_KEY: 'key',
        CAPTURE_TOKENS: 't',
        SESSION_JWT_ISSUER: '',
        SESSION_JWT_AUDIENCE: '',
      };
      // What the server makes of it: system/compose-redis.test.ts.
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

test('no command line contains a setting, because every process of a machine can read it', () => {
  for (const [name, { command = [], healthcheck }] of Object.entries(services)) {
    const words = [...command, ...(healthcheck?.test ?? [])];
    // A shell in the container reads `$$NAME`.
    expect([name, words.filter((word) => /\$/.test(word.replaceAll('$$', '')))]).toEqual([name, []]);
  }
});

test.each(['SESSION_JWT_ISSUER', 'SESSION_JWT_AUDIENCE'])('%s has to be set, if only to nothing', (name) => {
  const given = String(services.api.environment[name]);
  expect(() => interpolate(given, {})).toThrow(name);
  expect(interpolate(given, { [name]: '' })).toBe('');
  expect(interpolate(given, { [name]: 'https://app.example.com' })).toBe('https://app.example.com');
});

describe('servers', () => {
  test('restart when they end, but not the migrations, which end when they are done', () => {
    const restart = Object.entries(services).map(([name, service]) => [name, service.restart]);
    expect(Object.fromEntries(restart)).toEqual({
      postgres: 'unless-stopped',
      redis: 'unless-stopped',
      migrate: 'no',
      api: 'unless-stopped',
      worker: 'unless-stopped',
    });
  });

  test('publish the port of the API alone, on this machine unless another address is given', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port.target, interpolate(port.host_ip, {})]),
    );
    expect(published).toEqual([['api', 3000, '127.0.0.1']]);
  });

  test('have a health check, of the compose file or of their image', () => {
    const stages = read('docker/Dockerfile').split(/^FROM /m);
    for (const name of ['postgres', 'redis', 'api', 'worker'] as const) {
      const { healthcheck, build } = services[name];
      const image = stages.find((stage) => / AS (\S+)/.exec(stage)?.[1] === build?.target) ?? '';
      expect([name, healthcheck !== undefined || image.includes('\nHEALTHCHECK ')]).toEqual([name, true]);
    }
  });
});
