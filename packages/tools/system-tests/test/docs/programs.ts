import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { afterAll } from '@jest/globals';

/** A running program. It is killed at the end of the test file at the latest. */
export interface RunningProgram {
  /** Waits until the probe returns a truthy value. The error contains the program's output. */
  until(what: string, probe: () => unknown): Promise<void>;
  /** Returns everything that it has written to standard output and standard error. */
  output(): string;
  /** Returns its exit code, once it has ended. */
  exited: Promise<number | null>;
  /** Kills the program, as a crash would. */
  kill(): Promise<void>;
}

/** The folder of the pages, and that of the examples in them. */
export const DOCS = path.join(REPOSITORY_ROOT, 'docs');
export const EXAMPLES = path.join(DOCS, 'examples');

/** Whether this machine can run Python programs. */
export const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** Whether this machine can compile Go programs. */
export const HAS_GO = spawnSync('go', ['version']).status === 0;

const TSX = pathToFileURL(createRequire(path.join(REPOSITORY_ROOT, 'package.json')).resolve('tsx')).href;

const running = new Set<RunningProgram>();

afterAll(() => Promise.all([...running].map((program) => program.kill())));

/** Returns the text of a page. */
export function readPage(page: string): string {
  return readFileSync(path.join(DOCS, page), 'utf8');
}

/**
 * Copies a folder of examples out of the repository, as a reader would, with the client as `npm install deal-signals` installs
 * it, except that programs need the condition `source` to load it. The copy is removed after the test run.
 */
export function copyExamples(folder: string): string {
  const copy = mkdtempSync(path.join(currentTestRun().folder, 'docs-'));
  cpSync(path.join(EXAMPLES, folder), copy, { recursive: true });
  mkdirSync(path.join(copy, 'node_modules'));
  symlinkSync(
    path.join(REPOSITORY_ROOT, 'packages/clients/typescript'),
    path.join(copy, 'node_modules/deal-signals'),
  );
  return copy;
}

/**
 * Compiles a Go program of a copied folder, which needs only the standard library. Go keeps what it has compiled, so this takes long
 * only once on a machine.
 *
 * @returns the file of the program, without `.go`.
 */
export function buildGoProgram(folder: string, file: string): string {
  const program = path.join(folder, path.basename(file, '.go'));
  const { stderr, status } = spawnSync('go', ['build', '-o', program, file], {
    cwd: folder,
    env: { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${file} does not compile:\n${stderr}`);
  return program;
}

/** Starts a program of a copied folder, as a reader would. */
export function startProgram(
  folder: string,
  file: string,
  env: Record<string, string>,
  args: string[] = [],
): RunningProgram {
  const [command = '', ...own] = commandOf(folder, file);
  const child = spawn(command, [...own, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONUNBUFFERED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'close');
  const output = () => Buffer.concat(chunks).toString();
  const program: RunningProgram = {
    output,
    exited: ended.then(() => child.exitCode),
    async until(what, probe) {
      try {
        await until(what, probe);
      } catch (error) {
        throw new Error(`${String(error)}\n${output()}`, { cause: error });
      }
    },
    async kill() {
      running.delete(program);
      child.kill('SIGKILL');
      await ended;
    },
  };
  running.add(program);
  return program;
}

function commandOf(folder: string, file: string): string[] {
  if (file.endsWith('.py')) return ['python3', file];
  if (file.endsWith('.go')) return [buildGoProgram(folder, file)];
  return [process.execPath, '--import', TSX, file];
}

/** Runs a few lines of Python and parses their output as JSON. Use it to read data that a Python program stored. */
export function askPython(folder: string, lines: string): any {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', lines], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
