import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPOSITORY_ROOT } from '../files/local-folder.ts';
import { type ServiceProcess, describeExit, startService } from './service-process.ts';

export type AppName = 'api' | 'worker';

export interface AppOptions {
  environment: NodeJS.ProcessEnv;
  logFile: string;
  recordFile: string;
  /** Arguments of Node.js that run the app. Without them, its TypeScript source is run. */
  program?: readonly string[];
}

const START_TIMEOUT_MS = 60_000;
/** An app may finish its running requests or attempts, which takes up to ten seconds, and record their outcome. */
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 5_000;
const LOG_LINES_SHOWN = 15;

/** Starts one of the apps as a process of its own. */
export function startApp(app: AppName, options: AppOptions): Promise<ServiceProcess> {
  const source = ['--conditions=source', '--import', 'tsx', path.join('apps', app, 'src/main.ts')];
  return startService({
    name: app === 'api' ? 'The API' : 'The worker',
    command: process.execPath,
    args: [...(options.program ?? source)],
    directory: REPOSITORY_ROOT,
    environment: options.environment,
    logFile: options.logFile,
    logMode: 'truncate',
    recordFile: options.recordFile,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    hasChannel: true,
  });
}

/** The base URL of an app on this machine, without a path. */
export function appUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Waits until an app listens, which it does before it is ready.
 *
 * @returns the port it has announced; undefined when it ended before.
 * @throws Error with the end of its log when it takes more than a minute.
 */
export async function untilListening(service: ServiceProcess): Promise<number | undefined> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const port = service.port();
    if (port !== undefined || service.exit() !== undefined) return port;
    if (Date.now() > deadlineMs) throw new Error(await explainFailure(service));
    await sleep(POLL_MS);
  }
}

/**
 * Waits until an app says at `/readyz` that it can do its work.
 *
 * @returns the port it listens on.
 * @throws Error with the end of its log when it ends before, or takes more than a minute.
 */
export async function untilReady(service: ServiceProcess): Promise<number> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  const port = await untilListening(service);
  if (port === undefined) throw new Error(await explainFailure(service));
  let lastResponse = '';
  while (service.exit() === undefined && Date.now() <= deadlineMs) {
    const response = await fetch(`${appUrl(port)}/readyz`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    }).catch(() => undefined);
    lastResponse = (await response?.text().catch(() => '')) ?? '';
    if (response?.ok) return port;
    await sleep(POLL_MS);
  }
  throw new Error(await explainFailure(service, lastResponse));
}

/**
 * Describes an app that has ended, or that did not become ready.
 *
 * @param lastResponse what it last said at `/readyz`.
 */
export async function explainFailure(service: ServiceProcess, lastResponse = ''): Promise<string> {
  const exit = service.exit();
  const reason = exit === undefined ? `is not ready ${lastResponse}`.trim() : `ended (${describeExit(exit)})`;
  return `${service.name} ${reason}. The end of its log:\n${await service.lastLogLines(LOG_LINES_SHOWN)}`;
}
