import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPOSITORY_ROOT } from '../files/local-folder.ts';
import { type ServiceProcess, describeExit, startService } from './service-process.ts';

export type AppName = 'api' | 'worker';

export interface AppOptions {
  environment: NodeJS.ProcessEnv;
  logFile: string;
  recordFile: string;
}

const START_TIMEOUT_MS = 60_000;
/** An app in the middle of a request or an attempt may finish it: ten seconds at most, and some for the book-keeping. */
const STOP_TIMEOUT_MS = 20_000;
const READY_POLL_MS = 50;
const LOG_LINES_SHOWN = 15;

/** Starts one of the apps from its TypeScript source, as a process of its own. */
export function startApp(app: AppName, options: AppOptions): Promise<ServiceProcess> {
  return startService({
    name: app === 'api' ? 'The API' : 'The worker',
    command: process.execPath,
    args: ['--conditions=source', '--import', 'tsx', path.join('apps', app, 'src/main.ts')],
    directory: REPOSITORY_ROOT,
    environment: options.environment,
    logFile: options.logFile,
    logMode: 'truncate',
    recordFile: options.recordFile,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
}

/**
 * Waits until the API serves requests, which takes the database.
 * @throws Error with the end of its log when it ends before, or takes over a minute.
 */
export function untilApiReady(service: ServiceProcess, port: number): Promise<void> {
  return untilReady(service, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  });
}

/**
 * Waits until the worker says in its log that it takes jobs.
 * @throws Error with the end of its log when it ends before, or takes over a minute.
 */
export function untilWorkerReady(service: ServiceProcess, logFile: string): Promise<void> {
  return untilReady(service, async () =>
    (await readFile(logFile, 'utf8')).includes('"message":"worker ready"'),
  );
}

/** What to tell of an app that is not there any more, or never came up. */
export async function explainFailure(service: ServiceProcess): Promise<string> {
  const exit = service.exit();
  const reason = exit === undefined ? 'does not answer' : `ended (${describeExit(exit)})`;
  return `${service.name} ${reason}. The end of its log:\n${await service.lastLogLines(LOG_LINES_SHOWN)}`;
}

async function untilReady(service: ServiceProcess, probe: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const ready = await probe().catch(() => false);
    if (service.exit() !== undefined || Date.now() > deadlineMs)
      throw new Error(await explainFailure(service));
    if (ready) return;
    await sleep(READY_POLL_MS);
  }
}
