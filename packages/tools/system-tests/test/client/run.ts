import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { afterAll } from '@jest/globals';

const TYPESCRIPT = ['--conditions=source', '--import', 'tsx'];
const MAIN = path.join(currentTestRun().builtFolder, 'packages/clients/typescript/dist/command/main.js');

/** The Node.js arguments that run `deal-signals`, as built at the start of the run. */
export const COMMAND = ['--enable-source-maps', MAIN];

/** How a run ended, and its output. */
export interface Ended {
  /** Null if a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
export interface Running {
  stdout(): string;
  stderr(): string;
  /** Waits until the command has written a text. */
  untilWritten(text: string): Promise<void>;
  /** Sends a signal if the command is still running, and waits for its end. */
  end(signal?: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

const running = new Set<Running>();

afterAll(() => Promise.all([...running].map((one) => one.end('SIGKILL'))));

/** Starts a TypeScript program from its source. It is killed at the end of the test file at the latest. */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
): Running {
  return startExecutable(process.execPath, [...TYPESCRIPT, file, ...args], env);
}

/** Starts an executable. It is killed at the end of the test file at the latest. */
export function startExecutable(
  executable: string,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
): Running {
  const child = spawn(executable, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  let hasEnded = false;
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const ended = once(child, 'close').then(([exitCode]): Ended => {
    running.delete(program);
    hasEnded = true;
    return { exitCode: exitCode as number | null, ...texts };
  });
  const program: Running = {
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    async untilWritten(text) {
      const all = (): string => texts.stdout + texts.stderr;
      await until(`the output to contain ${text}`, () => hasEnded || all().includes(text)).catch(
        (error: unknown) => {
          throw new Error(`${String(error)}\n${all()}`, { cause: error });
        },
      );
      if (!all().includes(text)) throw new Error(`it ended without writing ${text}:\n${all()}`);
    },
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
    ended,
  };
  running.add(program);
  return program;
}

/** Starts `deal-signals`. */
export function startCommand(args: readonly string[], env: Record<string, string | undefined> = {}): Running {
  return startProgram(MAIN, args, env);
}

/** Runs `deal-signals` to its end. */
export function run(args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
  return startCommand(args, env).ended;
}
