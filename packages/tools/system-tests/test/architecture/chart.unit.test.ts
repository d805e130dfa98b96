import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { CHART, EXAMPLES } from '../../src/chart/helm.ts';

// Reads the chart. tools/chart.test.ts renders it.

const read = (file: string) => readFileSync(path.join(REPOSITORY_ROOT, file), 'utf8');
const OPERATIONS = read('docs/operators/operations.md');

const templates = readdirSync(path.join(CHART, 'templates')).map((file) =>
  read(`docker/chart/templates/${file}`),
);

type Values = Record<string, unknown>;

/** Merges values as Helm does: those of a file override the defaults, map by map. */
function combine(defaults: Values, values: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    [...new Set([...Object.keys(defaults), ...Object.keys(values)])].map((name) => {
      const [preset, given] = [defaults[name], values[name]];
      if (given === undefined) return [name, preset];
      return [name, isMap(preset) && isMap(given) ? combine(preset, given) : given];
    }),
  );
}

const defaults = parse(read('docker/chart/values.yaml')) as Values;
const valuesOf = (example: (typeof EXAMPLES)[number]) =>
  parse(read(`docker/chart/values-${example}.yaml`)) as Values;

describe('the values of the chart', () => {
  const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(read('docker/chart/values.schema.json')) as object,
  );

  test.each(EXAMPLES)('of values-%s.yaml match the schema', (example) => {
    isValid(combine(defaults, valuesOf(example)));
    expect(isValid.errors).toBeNull();
  });

  test.each([
    ['an unknown value', { replicas: 2 }],
    ['a setting in lower case', { settings: { log_level: 'info' } }],
    ['a misspelt setting', { worker: { settings: { DISPATCH_TICKS_MS: 5000 } } }],
    ['the password of PostgreSQL in a ConfigMap', { settings: { PGPASSWORD: 'secret' } }],
    ['a setting that is fixed by the chart', { api: { settings: { PORT: 80 } } }],
    ['a secret in a ConfigMap', { settings: { SECRETS_KEY: 'AAAA' } }],
    [
      'a password in a ConfigMap',
      { api: { settings: { DATABASE_URL: 'postgresql://app:secret@db/signals' } } },
    ],
    ['a password in a Job', { migrate: { databaseUrl: 'postgresql://owner:secret@a:1,b:2/signals' } }],
    ['a page of runbooks that is not a URL', { prometheusRule: { runbookUrl: 'docs/operators/alerts.md' } }],
    ['no worker at all', { worker: { autoscaling: { minReplicas: 0 } } }],
    ['an invalid digest', { image: { digests: { api: 'latest' } } }],
  ])('are rejected with %s', (_what, values) => {
    expect(isValid(combine(defaults, values))).toBe(false);
  });

  test('exist if a template uses them', () => {
    for (const [, name = ''] of templates.join('\n').matchAll(/\.Values\.([\w.]+)/g)) {
      const value = name.split('.').reduce<unknown>((at, key) => (at as Values | undefined)?.[key], defaults);
      // Settings have no default in the chart.
      if (!/^settings\.[A-Z]/.test(name)) expect([name, value]).not.toEqual([name, undefined]);
    }
  });

  test('of values-production.yaml require the issuer and the audience of session tokens', () => {
    expect(valuesOf('production')['api']).toMatchObject({
      settings: { SESSION_JWT_ISSUER: expect.any(String), SESSION_JWT_AUDIENCE: expect.any(String) },
    });
  });
});

test('the probes request documented paths', () => {
  const paths = Array.from(
    templates.join('\n').matchAll(/httpGet: \{ path: (\S+),/g),
    ([, from = '']) => from,
  );
  expect(paths.toSorted()).toEqual(['/healthz', '/healthz', '/readyz', '/readyz']);
  for (const from of paths) expect(OPERATIONS).toMatch(new RegExp(`^\\| \`${from}\` `, 'm'));
});

test('the liveness probe of the API uses the port of the callers, and allows longer silence than an idle connection', () => {
  const [, probe = ''] =
    /livenessProbe:\n([^]*?)\n +\{\{/.exec(read('docker/chart/templates/api.yaml')) ?? [];
  expect(probe).toContain('port: http }');
  const number = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(probe)?.[1]);
  const silentMs = 1_000 * number('periodSeconds') * number('failureThreshold');
  // Twice the time that a caller has for a request (`CONNECTION_LIMITS` of the API).
  expect(silentMs).toBeGreaterThanOrEqual(60_000);
});

test('the operator commands are those of their image', () => {
  const [, listed = ''] =
    /range \$command := list (.*?) \}\}/.exec(read('docker/chart/templates/commands.yaml')) ?? [];
  const [, known = ''] = /const COMMANDS = \{(.*?)\};/s.exec(read('docker/operate.mjs')) ?? [];
  const commands = Array.from(known.matchAll(/^ +'?([\w-]+)'?: /gm), ([, name = '']) => name);
  const ready = Array.from(listed.matchAll(/"([\w-]+)"/g), ([, name = '']) => name);
  expect(['migrate', ...ready].toSorted()).toEqual(commands.toSorted());
  expect(read('docker/Dockerfile')).toMatch(/ AS migrate\n/);
  for (const name of ready) expect(OPERATIONS).toContain(`\`${name}\``);
});
