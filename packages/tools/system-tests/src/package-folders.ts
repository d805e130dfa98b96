import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';

/** The folder of every app and package, relative to the root of the repository. */
export const PACKAGE_FOLDERS = ['apps', 'packages', 'packages/clients', 'packages/tools'].flatMap((group) =>
  readdirSync(path.join(REPOSITORY_ROOT, group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(path.join(REPOSITORY_ROOT, folder, 'package.json'))),
);
