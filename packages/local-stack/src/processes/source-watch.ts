import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY_ROOT } from '../files/local-folder.ts';
import type { AppName } from './app-process.ts';

const SCOPE = '@deal-signals/';
/** One look at a few hundred files takes some milliseconds. */
const POLL_MS = 300;

/** Returns the source folders of an app: its own, and those of the workspace packages that it depends on. */
export async function sourceFolders(app: AppName): Promise<string[]> {
  const folders = new Set<string>();
  const add = async (folder: string): Promise<void> => {
    if (folders.has(folder)) return;
    folders.add(folder);
    const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (!name.startsWith(SCOPE)) continue;
      const dependency = path.join(REPOSITORY_ROOT, 'packages', name.slice(SCOPE.length));
      // The console is no package but an app of its own. Vite serves it while somebody works on it.
      if (existsSync(dependency)) await add(dependency);
    }
  };
  await add(path.join(REPOSITORY_ROOT, 'apps', app));
  return Array.from(folders, (folder) => path.join(folder, 'src'));
}

/**
 * Watches the TypeScript files of some folders.
 *
 * It compares modification times, because a recursive `fs.watch` on Linux loses a file as soon as an editor or Git
 * replaces it instead of rewriting it (seen with Node.js 20 and 24).
 *
 * @param onChange called with the changed files once they have stopped changing.
 * @returns a function that ends the watch.
 */
export function watchSources(folders: readonly string[], onChange: (files: string[]) => void): () => void {
  let known = readTimes(folders);
  const changed = new Set<string>();
  const timer = setInterval(() => {
    let times: Map<string, number>;
    try {
      times = readTimes(folders);
    } catch {
      // A folder was removed while it was read. The next look is soon.
      return;
    }
    const news = [...times.keys(), ...known.keys()].filter((file) => times.get(file) !== known.get(file));
    known = times;
    for (const file of news) changed.add(file);
    if (news.length > 0 || changed.size === 0) return;
    const files = [...changed];
    changed.clear();
    onChange(files);
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** Returns the modification time of each file, in milliseconds. */
function readTimes(folders: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const file = path.join(folder, name);
      times.set(file, statSync(file).mtimeMs);
    }
  }
  return times;
}
