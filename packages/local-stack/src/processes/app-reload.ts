import path from 'node:path';
import { REPOSITORY_ROOT } from '../files/local-folder.ts';
import { type AppName, explainFailure } from './app-process.ts';
import type { ServiceProcess } from './service-process.ts';
import { sourceFolders, watchSources } from './source-watch.ts';

const NAMES: Record<AppName, string> = { api: 'the API', worker: 'the worker' };

export interface ReloadOptions {
  /** The latest process of each app. */
  services: ReadonlyMap<AppName, ServiceProcess>;
  /** Starts a process of an app and puts it into `services`. */
  start: (app: AppName) => Promise<ServiceProcess>;
  /** Waits until an app is ready. Rejects if it ends instead, or if the run is stopped. */
  untilUp: (service: ServiceProcess) => Promise<unknown>;
  /** Aborted when the run is stopped. */
  signal: AbortSignal;
  /** Tells the user, one line. */
  say: (line: string) => void;
}

/**
 * Restarts each app when its sources change, for `pnpm dev`. An app that ends by itself or does not come up is reported,
 * and started again after the next change.
 *
 * @returns a function that ends this and waits for a restart in progress.
 */
export async function reloadOnChange(options: ReloadOptions): Promise<() => Promise<void>> {
  const { services, signal, say } = options;
  const folders = new Map<AppName, string[]>();
  for (const app of services.keys()) folders.set(app, await sourceFolders(app));
  /** Processes that are being stopped for a restart. */
  const stopping = new WeakSet<ServiceProcess>();
  let work = Promise.resolve();

  async function restart(app: AppName): Promise<void> {
    const startedAtMs = Date.now();
    const previous = services.get(app);
    if (previous !== undefined) {
      stopping.add(previous);
      await previous.stop();
    }
    if (signal.aborted) return;
    const service = await options.start(app);
    await options.untilUp(service);
    say(`${service.name} has restarted (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s).`);
    void reportEnd(service);
  }

  async function restartAfter(earlier: Promise<void>, apps: AppName[]): Promise<void> {
    await earlier;
    await Promise.all(apps.map((app) => restart(app).catch((error: Error) => report(error.message))));
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
  const allFolders = new Set([...folders.values()].flat());
  const endWatch = watchSources([...allFolders], (files) => {
    const uses = (app: AppName, file: string) =>
      folders.get(app)?.some((folder) => file.startsWith(folder + path.sep));
    const apps = [...services.keys()].filter((app) => files.some((file) => uses(app, file)));
    const names = apps.map((app) => NAMES[app]).join(' and ');
    say(`${path.relative(REPOSITORY_ROOT, files[0] ?? '')} has changed: restarting ${names} …`);
    work = restartAfter(work, apps);
  });
  return async () => {
    endWatch();
    await work;
  };
}
