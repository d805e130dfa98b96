import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PACKAGE_FOLDERS } from '../../src/package-folders.ts';
import { ROUTES } from '../../../../../apps/api/src/app.ts';
import { describeApi } from '../../../../../apps/api/src/openapi/document.ts';
import { releaseNotes } from '../../src/release/notes.ts';

// Everything that is released has the same version, in the files and in the documents.

process.stderr.write('not part of these: `SUITE=images pnpm test` builds and starts the images\n');

const read = (file: string) => readFileSync(path.join(REPOSITORY_ROOT, file), 'utf8');

const { version } = JSON.parse(read('package.json')) as { version: string };
const CHANGELOG = read('CHANGELOG.md');
const [, newest, date = ''] = /^## \[(\d[^\]]*)\] - (\S+)$/m.exec(CHANGELOG) ?? [];

test('everything that is released has the same version', () => {
  const packages = PACKAGE_FOLDERS.map((folder) => `${folder}/package.json`);
  const chart = parse(read('docker/chart/Chart.yaml')) as { version: string; appVersion: string };
  const versions = {
    ...Object.fromEntries(packages.map((file) => [file, (JSON.parse(read(file)) as typeof chart).version])),
    'pyproject.toml': /^version = "(.+)"$/m.exec(read('packages/clients/python/pyproject.toml'))?.[1],
    'Chart.yaml': chart.version,
    'appVersion of Chart.yaml': chart.appVersion,
    'CHANGELOG.md': newest,
  };
  expect(packages.length).toBeGreaterThan(10);
  expect(Object.entries(versions).filter(([, other]) => other !== version)).toEqual([]);
});

test('the path of the API has the major version, and its contract is not newer than the release', () => {
  const { info, servers } = describeApi(ROUTES);
  expect(servers?.map(({ url }) => url)).toEqual([`/api/v${version.split('.')[0]}`]);
  expect(Date.parse(info.version)).toBeLessThanOrEqual(Date.parse(date));
});

test('the release notes are the section of the changelog, with links to the files of the release', () => {
  const base = 'https://git.example.com/blob/v1/';
  const notes = releaseNotes(CHANGELOG, version, base);
  expect(notes).not.toContain('\n## ');
  const sources = Array.from(notes.matchAll(/\]\(([^)#]*)/g), ([, url = '']) => url);
  expect(sources.length).toBeGreaterThan(0);
  for (const url of sources.filter((to) => to.startsWith(base))) {
    expect([url, existsSync(path.join(REPOSITORY_ROOT, url.slice(base.length)))]).toEqual([url, true]);
  }
  expect(notes).not.toMatch(/\]\((?!\w+:)/);
});

test('a version without a section in the changelog has no notes', () => {
  const changelog =
    '# Changelog\n\n## [1.1.0] - 2027-01-02\n\n## [1.0.0] - 2026-11-25\n\nThe [first](docs/a.md).\n';
  expect(releaseNotes(changelog, '1.0.0', 'https://x/')).toBe('The [first](https://x/docs/a.md).\n');
  for (const unknown of ['1.1.0', '1.0', '2.0.0']) {
    expect(() => releaseNotes(changelog, unknown, 'https://x/')).toThrow(`has no notes for ${unknown}`);
  }
});
