import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { apiPrefixes } from '../../../../../apps/api/src/config.ts';
import { workerPrefixes } from '../../../../../apps/worker/src/config.ts';
import { SETTINGS } from '../../src/reference/settings.ts';

// Settings are declared once, in the object of their app. These tests compare all other lists with it.

const read = (file: string) => readFileSync(path.join(REPOSITORY_ROOT, file), 'utf8');
const APPS = ['api', 'worker'] as const;
const declared = new Map([...SETTINGS.api, ...SETTINGS.worker]);

test('an app does not warn of settings that the other app reads', () => {
  for (const [app, prefixes] of [
    ['api', apiPrefixes],
    ['worker', workerPrefixes],
  ] as const) {
    const its = [...declared.keys()].filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
    expect(its.length).toBeGreaterThan(8);
    expect([app, its.filter((name) => !SETTINGS[app].has(name))]).toEqual([app, []]);
  }
});

test('an app warns only of names with the prefix of one of its settings', () => {
  for (const [app, prefixes] of [
    ['api', apiPrefixes],
    ['worker', workerPrefixes],
  ] as const) {
    const names = [...SETTINGS[app].keys()];
    expect([app, prefixes.filter((prefix) => !names.some((name) => name.startsWith(prefix)))]).toEqual([
      app,
      [],
    ]);
  }
});

describe('the compose file', () => {
  const { services } = parse(read('docker/compose.yaml'), { merge: true }) as {
    services: Record<(typeof APPS)[number], { environment: Record<string, string | number> }>;
  };
  const SET_BY_THE_IMAGE = { api: ['PORT', 'NODE_ENV'], worker: ['WORKER_PORT'] };
  const READ_BY_NODE = ['NODE_EXTRA_CA_CERTS'];

  test.each(APPS)('passes the %s its settings and nothing else', (app) => {
    expect([...Object.keys(services[app].environment), ...SET_BY_THE_IMAGE[app]].toSorted()).toEqual(
      [...SETTINGS[app].keys(), ...READ_BY_NODE].toSorted(),
    );
  });

  test('passes each variable under its own name, empty by default unless it is required', () => {
    for (const app of APPS) {
      for (const [name, value] of Object.entries(services[app].environment)) {
        if (/^\d|^redis:|^postgresql:|^0\.0\.0\.0$/.test(String(value))) continue;
        if (name === 'PGPASSWORD') expect(value).toContain('${APP_PASSWORD:?');
        else expect(value).toMatch(new RegExp(String.raw`^\$\{${name}(:[-?+]|\?)`));
      }
    }
  });
});

describe('the chart', () => {
  const templates = ['api', 'worker'].map((app) => read(`docker/chart/templates/${app}.yaml`)).join('');

  test('accepts every setting except fixed ones and those that belong into a Secret', () => {
    const fixed = Array.from(templates.matchAll(/\{ name: ([A-Z_]+), value: /g), ([, name]) => name);
    expect(fixed.length).toBeGreaterThan(3);
    const { definitions } = JSON.parse(read('docker/chart/values.schema.json')) as {
      definitions: { settings: { propertyNames: { anyOf: [{ enum: string[] }] } } };
    };
    expect(definitions.settings.propertyNames.anyOf[0].enum.toSorted()).toEqual(
      [...declared]
        .filter(([name, { isSecret }]) => !fixed.includes(name) && !isSecret)
        .map(([name]) => name)
        .toSorted(),
    );
  });

  test('calculates with the defaults of the settings', () => {
    const defaults = Array.from(
      templates.matchAll(/\$settings "([A-Z_]+)" (\d+)\)/g),
      ([, name = '', preset]) => [name, preset],
    );
    expect(defaults).toHaveLength(3);
    for (const [name = '', preset] of defaults) {
      expect([name, declared.get(name)?.preset]).toEqual([name, preset]);
    }
  });
});
