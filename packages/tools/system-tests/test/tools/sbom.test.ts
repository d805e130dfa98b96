import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

interface Component {
  name: string;
  group?: string;
  version: string;
  licenses?: unknown[];
  externalReferences?: { hashes?: { alg: string }[] }[];
}

const fullName = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-signals-sbom-'));
  await promisify(execFile)(path.join(REPOSITORY_ROOT, 'docker/sbom.sh'), [folder]);
});
afterAll(() => rm(folder, { recursive: true }));

const json = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as unknown;

test.each([
  ['api', 'apps/api', 'dependencies'],
  ['worker', 'apps/worker', 'dependencies'],
  ['migrate', 'packages/capture', 'dependencies'],
  ['console', 'apps/console', 'devDependencies'],
  ['guides', 'apps/guides', 'devDependencies'],
] as const)(
  'the document of %s lists every package that it needs, with licence and hash',
  async (name, source, kind) => {
    const document = (await json(path.join(folder, `${name}.cdx.json`))) as {
      bomFormat: string;
      components: Component[];
    };
    expect(document.bomFormat).toBe('CycloneDX');
    const manifest = (await json(path.join(REPOSITORY_ROOT, source, 'package.json'))) as Record<
      string,
      object
    >;
    const names = document.components.map(fullName);
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest[kind] ?? {})));
    const incomplete = document.components
      .filter((component) => component.group !== '@deal-signals')
      .filter(
        ({ licenses = [], externalReferences = [] }) =>
          licenses.length === 0 ||
          !externalReferences.some(({ hashes = [] }) => hashes.some(({ alg }) => alg === 'SHA-512')),
      );
    expect(incomplete.map(fullName)).toEqual([]);
  },
);

test('the images contain no test tools', async () => {
  for (const name of ['api', 'worker', 'migrate']) {
    const document = (await json(path.join(folder, `${name}.cdx.json`))) as { components: Component[] };
    const names = document.components.map(fullName);
    for (const tool of ['jest', 'typescript', 'prisma', 'playwright-core']) expect(names).not.toContain(tool);
  }
});

test('the licences of all packages are listed', async () => {
  const licences = (await json(path.join(folder, 'licences.json'))) as Record<string, { name: string }[]>;
  expect(licences['MIT']?.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'bullmq']));
});
