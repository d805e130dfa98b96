import path from 'node:path';
import { REPOSITORY_ROOT } from '../files/local-folder.ts';
import { type ServiceProcess, startService, untilUp } from './service-process.ts';

export type AppName = 'api' | 'worker';

export interface AppOptions {
  environment: NodeJS.ProcessEnv;
  logFile: string;
  recordFile: string;
  /** Node.js arguments that run the app. Without them, its TypeScript source is run. */
  program?: readonly string[];
}

const START_TIMEOUT_MS = 60_000;
/** An app may finish its current requests or attempts, which takes up to ten seconds, and record their outcome. */
const STOP_TIMEOUT_MS = 20_000;
const PROBE_TIMEOUT_MS = 5_000;

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

/** Returns the base URL of an app on this machine, without a path. */
export function appUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Waits until an app listens, which happens before it is ready.
 *
 * @returns the port that it announced; undefined if it ended first.
 * @throws Error with the end of its log if it takes more than a minute.
 */
export async function untilListening(service: ServiceProcess): Promise<number | undefined> {
  await untilUp(service, START_TIMEOUT_MS, async () =>
    service.port() !== undefined || service.exit() !== undefined ? null : '',
  );
  return service.port();
}

/**
 * Waits until `/readyz` reports that an app is ready.
 *
 * @returns the port it listens on.
 * @throws Error with the end of its log if it ends first, or takes more than a minute.
 */
export async function untilReady(service: ServiceProcess): Promise<number> {
  await untilUp(service, START_TIMEOUT_MS, async () => {
    const port = service.port();
    if (port === undefined) return '';
    try {
      const response = await fetch(`${appUrl(port)}/readyz`, {
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      });
      const text = await response.text();
      return response.ok ? null : text;
    } catch {
      return '';
    }
  });
  return service.port()!;
}
