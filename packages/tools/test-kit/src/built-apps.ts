import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { transform } from '@swc/core';

/** The folders whose packages are built. Everything else in the checkout is linked. */
const WORKSPACE_FOLDERS = ['apps', 'packages', 'packages/clients'];

/** The types of this version of swc lack the last setting, which turns `./name.ts` into `./name.js`. */
const COMPILATION = {
  target: 'es2023',
  parser: { syntax: 'typescript' },
  rewriteRelativeImportExtensions: true,
} as const;

/**
 * Builds the apps and the packages that they use into a folder with the layout of the checkout, so that a test can start
 * `apps/api/dist/main.js` as it runs in production. A process starts from it with two thirds of the CPU time that it needs to
 * start from TypeScript, and each test run starts a hundred.
 * It is built for each run, so it always matches the source. Types are not checked: `pnpm typecheck` does that.
 *
 * @param folder must not exist.
 */
export async function buildApps(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await linkEntries(REPOSITORY_ROOT, folder, new Set([...WORKSPACE_FOLDERS, 'node_modules', '.git']));
  for (const workspace of WORKSPACE_FOLDERS) {
    const from = path.join(REPOSITORY_ROOT, workspace);
    const to = path.join(folder, workspace);
    await mkdir(to);
    const names = await readdir(from);
    const built = names.filter((name) => existsSync(path.join(from, name, 'tsconfig.build.json')));
    const nested = names.filter((name) => WORKSPACE_FOLDERS.includes(`${workspace}/${name}`));
    await linkEntries(from, to, new Set([...built, ...nested]));
    await Promise.all(
      built.map(async (name) => {
        await buildPackage(path.join(from, name), path.join(to, name));
        await linkDependencies(
          path.join(from, name, 'node_modules'),
          path.join(to, name, 'node_modules'),
          folder,
        );
      }),
    );
  }
}

async function buildPackage(from: string, to: string): Promise<void> {
  await mkdir(to);
  await linkEntries(from, to, new Set(['node_modules', 'dist', 'src']));
  const source = path.join(from, 'src');
  const files = await readdir(source, { recursive: true });
  await Promise.all(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => buildFile(path.join(source, file), path.join(to, 'dist', file.replace(/\.ts$/, '.js')))),
  );
}

async function buildFile(from: string, to: string): Promise<void> {
  const { code } = await transform(await readFile(from, 'utf8'), {
    filename: from,
    sourceFileName: from,
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'es6' },
    jsc: COMPILATION,
  });
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(to, code);
}

/** Links everything that a package may import: other packages of the workspace as they were built, and the rest as installed. */
async function linkDependencies(from: string, to: string, root: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name.startsWith('.')) continue;
    if (name.startsWith('@')) {
      await linkDependencies(path.join(from, name), path.join(to, name), root);
      continue;
    }
    const target = await realpath(path.join(from, name));
    const inCheckout = path.relative(REPOSITORY_ROOT, target);
    const isOurs =
      WORKSPACE_FOLDERS.some((workspace) => inCheckout.startsWith(workspace + path.sep)) &&
      !inCheckout.includes('node_modules');
    await symlink(isOurs ? path.join(root, inCheckout) : target, path.join(to, name));
  }
}

async function linkEntries(from: string, to: string, except: ReadonlySet<string>): Promise<void> {
  const names = await readdir(from);
  await Promise.all(
    names
      .filter((name) => !except.has(name))
      .map((name) => symlink(path.join(from, name), path.join(to, name))),
  );
}
