import { spawn } from 'node:child_process';

export interface CommandResult {
  /** Null if a signal ended the command. */
  exitCode: number | null;
  /** Standard output and standard error, in the order they were written. */
  output: string;
}

/**
 * Runs a command to its end, without a terminal and in a process group of its own, so that Ctrl-C does not interrupt it.
 *
 * @throws Error if the command cannot be run at all. A non-zero exit code is a result, not an error.
 */
export function runCommand(
  command: string,
  args: string[],
  options: { environment?: NodeJS.ProcessEnv; directory?: string } = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.directory,
      env: options.environment ?? process.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
