import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '../files/local-folder.ts';
import type { AppName } from './app-process.ts';
import { explainFailure, type ServiceProcess } from './service-process.ts';

const NAMES: Record<AppName, string> = { api: 'the API', worker: 'the worker' };
/** Checking a few hundred files takes some milliseconds. */
const POLL_MS = 300;

export interface ReloadOptions {
  /** The latest process of each app. */
  services: ReadonlyMap<AppName, ServiceProcess>;
  /** Starts a process of an app and puts it into `services`. */
  start: (app: AppName) => Promise<ServiceProcess>;
  /** Waits until an app is ready. Rejects if it ends instead, or if the run is stopped. */
  untilUp: (service: ServiceProcess) => Promise<unknown>;
  /** Aborted when the run is stopped. */
  signal: AbortSignal;
  /** Shows the user one line. */
  say: (line: string) => void;
}

/**
 * Restarts an app when its sources or those of a package change, for `pnpm start --reload`. An app that ends by itself or does
 * not start is reported, and started again after the next change.
 *
 * @returns a function that stops watching and waits for a restart in progress.
 */
export function reloadOnChange({
  services,
  start,
  untilUp,
  signal,
  say,
}: ReloadOptions): () => Promise<void> {
  /** Processes that are being stopped for a restart. */
  const stopping = new WeakSet<ServiceProcess>();
  let work: Promise<unknown> = Promise.resolve();

  async function restart(app: AppName): Promise<void> {
    const startedAtMs = Date.now();
    const previous = services.get(app);
    if (previous !== undefined) {
      stopping.add(previous);
      await previous.stop();
    }
    if (signal.aborted) return;
    const service = await start(app);
    await untilUp(service);
    say(`${service.name} has restarted (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s).`);
    void reportEnd(service);
  }

  async function reportEnd(service: ServiceProcess): Promise<void> {
    await service.exited;
    if (!stopping.has(service)) report(await explainFailure(service));
  }

  function report(problem: string): void {
    if (!signal.aborted) say(`${problem}\nIt will be started again after the next change.`);
  }

  for (const service of services.values()) void reportEnd(service);
  say('Watching the sources. The API and the worker restart when they change.');
  const endWatch = watchSources((files) => {
    const apps = [...services.keys()].filter((app) =>
      files.some((file) => file.startsWith('packages') || file.startsWith(path.join('apps', app))),
    );
    if (apps.length === 0) return;
    say(`${files[0]} has changed: restarting ${apps.map((app) => NAMES[app]).join(' and ')} …`);
    work = work.then(() =>
      Promise.all(apps.map((app) => restart(app).catch((error: Error) => report(error.message)))),
    );
  });
  return async () => {
    endWatch();
    await work;
  };
}

/**
 * Watches the TypeScript files of the apps and packages.
 * It compares modification times, because a recursive `fs.watch` on Linux loses a file as soon as an editor or Git replaces it
 * instead of rewriting it (observed with Node.js 20 and 24).
 *
 *
 * @param onChange called with the changed files once they have stopped changing.
 * @returns a function that ends the watch.
 */
function watchSources(onChange: (files: string[]) => void): () => void {
  let known = readTimes();
  const changed = new Set<string>();
  const timer = setInterval(() => {
    let times: Map<string, number>;
    try {
      times = readTimes();
    } catch {
      // A folder was removed while it was read. The next poll follows soon.
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

/** Returns the modification time of each source file, in milliseconds. */
function readTimes(): Map<string, number> {
  const times = new Map<string, number>();
  for (const group of ['apps', 'packages']) {
    for (const name of readdirSync(path.join(REPOSITORY_ROOT, group))) {
      const folder = path.join(group, name, 'src');
      const absolute = path.join(REPOSITORY_ROOT, folder);
      if (statSync(absolute, { throwIfNoEntry: false }) === undefined) continue;
      for (const file of readdirSync(absolute, { recursive: true, encoding: 'utf8' }))
        if (file.endsWith('.ts'))
          times.set(path.join(folder, file), statSync(path.join(absolute, file)).mtimeMs);
    }
  }
  return times;
}
