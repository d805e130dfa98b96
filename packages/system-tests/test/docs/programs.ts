import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import { until } from '@deal-signals/test-kit/until';
import { afterAll } from '@jest/globals';

/** A complete program of the documentation, which stands in a fenced block that begins with the name of its file. */
export interface DocsProgram {
  file: string;
  source: string;
}

/** A program that runs. It is ended with the test file at the latest. */
export interface RunningProgram {
  /** Waits for something that it does; the error shows what it has written. */
  until(what: string, probe: () => unknown): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** The pages, and the folder that they are in. */
export const PAGES = ['first-sync.md', 'verifying-signatures.md', 'errors-and-limits.md', 'loaders.md'];
export const DOCS = path.join(REPOSITORY_ROOT, 'docs');

/** Whether Python programs can be run on this machine. */
export const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

const FENCED_PROGRAM = /^```(?:ts|python)\n((?:\/\/|#) (\S+\.(?:mts|py))\n[\s\S]*?)^```$/gm;
const TSX = pathToFileURL(createRequire(path.join(REPOSITORY_ROOT, 'package.json')).resolve('tsx')).href;

const running = new Set<RunningProgram>();

afterAll(() => Promise.all([...running].map((program) => program.kill())));

/** The text of a page. */
export function readPage(page: string): string {
  return readFileSync(path.join(DOCS, page), 'utf8');
}

/** The complete programs of a page; fragments, which name no file, are left out. */
export function programsOf(page: string): DocsProgram[] {
  return Array.from(readPage(page).matchAll(FENCED_PROGRAM), ([, source = '', file = '']) => ({
    file,
    source,
  }));
}

/** The program of a page with this file name. */
export function programOf(page: string, file: string): DocsProgram {
  const program = programsOf(page).find((candidate) => candidate.file === file);
  if (program === undefined) throw new Error(`${page} has no program ${file}`);
  return program;
}

/** Writes a program into an empty folder, which is removed with the test run. */
export function unpack({ file, source }: DocsProgram): string {
  const folder = mkdtempSync(path.join(currentTestRun().folder, 'docs-'));
  writeFileSync(path.join(folder, file), source);
  return folder;
}

/** Starts an unpacked program as a reader would. */
export function startProgram(folder: string, file: string, env: Record<string, string>): RunningProgram {
  const [command = '', ...args] = file.endsWith('.py')
    ? ['python3', file]
    : [process.execPath, '--import', TSX, file];
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONUNBUFFERED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'close');
  const program: RunningProgram = {
    async until(what, probe) {
      try {
        await until(what, probe);
      } catch (error) {
        throw new Error(`${String(error)}\n${Buffer.concat(chunks).toString()}`, { cause: error });
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

/** What a few lines of Python print, as JSON; for looking into what a Python program has stored. */
export function askPython(folder: string, lines: string): any {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', lines], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
