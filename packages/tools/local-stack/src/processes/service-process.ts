import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAnnouncedPort } from '@deal-signals/runtime/listening';
import { z } from 'zod';
import { readJson, writePrivateJson } from '../files/private-file.ts';
import { findProcess, stillRuns } from './process-identity.ts';

export interface ServiceCommand {
  /** Names the service in messages. */
  name: string;
  command: string;
  args: string[];
  environment?: NodeJS.ProcessEnv;
  /** Working directory. */
  directory?: string;
  /** Receives standard output and standard error. */
  logFile: string;
  /** `append` keeps the log of earlier runs. */
  logMode: 'append' | 'truncate';
  /** Identifies the process, so that a later start can end it if this one cannot. */
  recordFile: string;
  /** The signal for an orderly stop. */
  stopSignal: NodeJS.Signals;
  /** How long an orderly stop may take. */
  stopTimeoutMs: number;
  /** Written to the standard input of the process, which is then closed. Without it, standard input is empty. */
  input?: string;
  /** Opens an IPC channel to the process, over which it can announce its port. */
  hasChannel?: boolean;
}

/** How a process ended: one of the two is null. */
export interface ServiceExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServiceProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended. Never rejects. */
  readonly exited: Promise<ServiceExit>;
  /** How the process ended. Undefined while it runs. */
  exit(): ServiceExit | undefined;
  /** The port that the process announced. Undefined until then. */
  port(): number | undefined;
  /** The end of the log, for error messages. */
  lastLogLines(count: number): Promise<string>;
  /**
   * Stops the process with the given signal, or else with its own stop signal, and waits. Kills it if that takes longer than
   * `stopTimeoutMs`. Does nothing if it has already ended.
   */
  stop(signal?: NodeJS.Signals): Promise<ServiceExit>;
  /** Kills the process and its children at once. */
  kill(): void;
}

const recordSchema = z.object({
  pid: z.int(),
  startedAt: z.string(),
  stopSignal: z.string(),
  stopTimeoutMs: z.number(),
});

const POLL_MS = 50;
const LOG_LINES_SHOWN = 15;

/**
 * Starts a process in a process group of its own. A Ctrl-C in the terminal then reaches only this process, which stops its
 * services in the right order.
 *
 * @throws Error if the command cannot be run at all.
 */
export async function startService(options: ServiceCommand): Promise<ServiceProcess> {
  const log = await open(options.logFile, options.logMode === 'append' ? 'a' : 'w', 0o600);
  let child: ChildProcess;
  try {
    child = spawn(options.command, options.args, {
      cwd: options.directory,
      env: options.environment ?? process.env,
      detached: true,
      stdio: [
        options.input === undefined ? 'ignore' : 'pipe',
        log.fd,
        log.fd,
        ...(options.hasChannel ? (['ipc'] as const) : []),
      ],
    });
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))]);
  } catch (error) {
    throw new Error(`${options.name} cannot be started: ${(error as Error).message}`, { cause: error });
  } finally {
    await log.close();
  }
  const pid = child.pid!;
  let port: number | undefined;
  child.on('message', (message) => {
    port ??= readAnnouncedPort(message);
    // The channel carries only the port.
    if (port !== undefined && child.connected) child.disconnect();
  });
  let exit: ServiceExit | undefined;
  const exited = new Promise<ServiceExit>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      exit = { exitCode, signal };
      resolve(exit);
    });
  });
  // If the process ends before it has read its input, `exited` reports that. The broken pipe adds nothing.
  child.stdin?.on('error', () => {}).end(options.input);

  const { stopSignal, stopTimeoutMs } = options;
  const startedAt = findProcess(pid)?.startedAt ?? '';
  await writePrivateJson(options.recordFile, { pid, startedAt, stopSignal, stopTimeoutMs });

  const kill = () => {
    if (exit === undefined) killGroup(pid);
  };
  return {
    name: options.name,
    pid,
    exited,
    exit: () => exit,
    port: () => port,
    async lastLogLines(count) {
      const text = await readFile(options.logFile, 'utf8').catch(() => '');
      return text.trimEnd().split('\n').slice(-count).join('\n');
    },
    async stop(signal = stopSignal) {
      if (exit === undefined) child.kill(signal);
      const timer = setTimeout(kill, stopTimeoutMs);
      const how = await exited;
      clearTimeout(timer);
      await rm(options.recordFile, { force: true });
      return how;
    },
    kill,
  };
}

/**
 * Waits until a service responds.
 *
 * @param probe returns null once the service responds, and a description of the problem until then.
 * @throws Error with the end of its log if it ends first, or takes too long.
 */
export async function untilUp(
  service: ServiceProcess,
  timeoutMs: number,
  probe: () => Promise<string | null>,
): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer === null) return;
    if (service.exit() !== undefined || Date.now() > deadlineMs)
      throw new Error(await explainFailure(service, answer));
    await sleep(POLL_MS);
  }
}

/**
 * Describes a service that has ended, or that does not respond.
 *
 * @param answer the last result of the probe.
 */
export async function explainFailure(service: ServiceProcess, answer = ''): Promise<string> {
  const exit = service.exit();
  const how = exit?.signal == null ? `exit code ${exit?.exitCode}` : `signal ${exit.signal}`;
  const what = exit === undefined ? `is not ready ${answer}`.trim() : `ended (${how})`;
  return `${service.name} ${what}. The end of its log:\n${await service.lastLogLines(LOG_LINES_SHOWN)}`;
}

/**
 * Ends the process that a record file names, if that same process still runs, and removes the file.
 *
 * @returns whether the process was running.
 */
export async function stopRecordedService(recordFile: string): Promise<boolean> {
  const record = await readJson(recordFile, recordSchema, '').catch(() => undefined);
  const isRunning = record !== undefined && stillRuns(record.pid, record.startedAt);
  if (isRunning) {
    const { pid, startedAt, stopSignal, stopTimeoutMs } = record;
    process.kill(pid, stopSignal);
    const deadlineMs = Date.now() + stopTimeoutMs;
    while (stillRuns(pid, startedAt)) {
      if (Date.now() > deadlineMs) killGroup(pid);
      await sleep(POLL_MS);
    }
  }
  await rm(recordFile, { force: true });
  return isRunning;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The process has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
