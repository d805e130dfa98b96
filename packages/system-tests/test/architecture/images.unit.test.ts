import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { describe, expect, test } from '@jest/globals';

// The images cannot be built in every place where the tests run, so this reads what each of them copies.

const DOCKERFILE = readFileSync(path.join(REPOSITORY_ROOT, 'docker/Dockerfile'), 'utf8');

/** The lines of each stage, by its name. */
const stages = new Map(
  DOCKERFILE.split(/^FROM /m)
    .slice(1)
    .map((stage) => [/ AS (\S+)/.exec(stage)?.[1] ?? '', stage]),
);

/** The folders of a package and of all its direct and indirect production dependencies in this repository. */
function packagesFor(folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const manifest = readFileSync(path.join(REPOSITORY_ROOT, folder, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
  for (const name of Object.keys(dependencies)) {
    const [scope, own] = name.split('/');
    if (scope !== '@deal-signals') continue;
    const isApp = existsSync(path.join(REPOSITORY_ROOT, 'apps', `${own}`));
    packagesFor(`${isApp ? 'apps' : 'packages'}/${own}`, found);
  }
  return found;
}

describe.each([
  ['api', 'apps/api'],
  ['worker', 'apps/worker'],
  ['migrate', 'packages/capture'],
])('the image %s', (stage, folder) => {
  const lines = stages.get(stage) ?? '';

  test('contains the code of exactly the packages that it needs', () => {
    const copied = Array.from(
      lines.matchAll(/^COPY --from=build \/app\/(\S+)\/dist /gm),
      ([, from = '']) => from,
    );
    expect(copied.toSorted()).toEqual([...packagesFor(folder)].toSorted());
  });

  test('contains the migrations, which its code reads', () => {
    expect(lines).toMatch(/^COPY prisma\/migrations prisma\/migrations$/m);
  });
});

describe('the commands of the image for operators', () => {
  const file = readFileSync(path.join(REPOSITORY_ROOT, 'docker/operate.mjs'), 'utf8');
  const { scripts } = JSON.parse(readFileSync(path.join(REPOSITORY_ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = Array.from(
    file.matchAll(/^  '?([\w-]+)'?: '(.+)\/dist\/(.+)\.js',$/gm),
    ([, ...parts]) => parts,
  );
  /** The scripts that run a command of a package which the image has. One of them writes a file of the checkout. */
  const wanted = Object.entries(scripts).filter(
    ([name, script]) =>
      name !== 'capture-schema' &&
      [...packagesFor('packages/capture')].some((folder) => script.includes(` ${folder}/src/`)),
  );

  test('are started by it', () => {
    expect(stages.get('migrate')).toContain('\nCOPY docker/operate.mjs docker/\n');
    expect(stages.get('migrate')).toContain('\nENTRYPOINT ["node", "docker/operate.mjs"]\nCMD ["migrate"]\n');
  });

  test('are those of a checkout, under the same names', () => {
    const started = Object.fromEntries(
      commands.map(([name, folder, program]) => [name, `${folder}/src/${program}.ts`]),
    );
    expect(started).toEqual({
      ...Object.fromEntries(wanted.map(([name, script]) => [name, script.split(' ').at(-1)])),
      migrate: 'packages/db/src/migrations/migrate-command.ts',
    });
  });

  test.each(commands)('%s is of a package that it has', (_name, folder = '', program = '') => {
    expect([...packagesFor('packages/capture')]).toContain(folder);
    expect(existsSync(path.join(REPOSITORY_ROOT, folder, 'src', `${program}.ts`))).toBe(true);
  });
});

test('the image of the API contains the guides and the changelog, which it serves', () => {
  const lines = stages.get('api') ?? '';
  for (const file of ['docs docs', 'CHANGELOG.md ./']) expect(lines).toContain(`\nCOPY ${file}\n`);
});

test('the hook that leaves packages out is there when dependencies are installed', () => {
  const [, files = ''] = /^COPY (package\.json .*) \.\/$/m.exec(stages.get('manifests') ?? '') ?? [];
  expect(files.split(' ')).toEqual(expect.arrayContaining(['pnpm-lock.yaml', '.pnpmfile.mjs']));
});

test('the manifests that decide the dependencies are copied for every package', () => {
  const folders = ['apps', 'packages'].flatMap((group) =>
    readdirSync(path.join(REPOSITORY_ROOT, group)).map((name) => `${group}/${name}`),
  );
  const copied = Array.from(
    (stages.get('manifests') ?? '').matchAll(/^COPY (\S+)\/package\.json /gm),
    ([, folder = '']) => folder,
  );
  expect(copied.toSorted()).toEqual(folders.toSorted());
});

describe('the base images', () => {
  const COMPOSE = readFileSync(path.join(REPOSITORY_ROOT, 'docker/compose.yaml'), 'utf8');
  const fromDockerfile = Array.from(DOCKERFILE.matchAll(/^FROM (\S+)/gm), ([, image = '']) => image).filter(
    (image) => !stages.has(image),
  );
  const fromCompose = Array.from(COMPOSE.matchAll(/^ +image: (\S+)/gm), ([, image = '']) => image);

  test.each([...fromDockerfile, ...fromCompose])('%s is named by its digest', (image) => {
    expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  test('are those that we know of', () => {
    expect([...fromDockerfile, ...fromCompose].map((image) => image.split(':')[0])).toEqual([
      'node',
      'postgres',
      'redis',
    ]);
  });

  test.each(['postgres', 'redis', 'migrate', 'api', 'worker'])('the service %s is confined', (service) => {
    const [, lines = ''] = new RegExp(`^  ${service}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(COMPOSE) ?? [];
    expect(lines).toMatch(/^    <<: \*confined$/m);
    expect(lines).toMatch(/^    mem_limit: /m);
  });
});
