import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

// Podman and Buildah need no daemon, so these functions run their command lines.

const OUTPUT_BYTES = 64 * 1024 * 1024;
/** The last lines of a failed command show the reason. */
const LINES_OF_ERROR = 15;
const RUNTIME = ['--runtime', 'runc', '--log-level', 'error'];

const execute = promisify(execFile);

/**
 * Runs a command.
 *
 * @returns the standard output without the last line end.
 * @throws Error with the end of the output.
 */
export async function run(command: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await execute(command, args, { maxBuffer: OUTPUT_BYTES });
    return stdout.trimEnd();
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-LINES_OF_ERROR);
    // Without the cause, which repeats all of it.
    // oxlint-disable-next-line eslint/preserve-caught-error
    throw new Error([message.split('\n')[0], ...end].join('\n'));
  }
}

/** Runs Podman with another runtime than crun, which rejects the hybrid control groups of some machines. */
export function podman(...args: string[]): Promise<string> {
  return run('podman', ...RUNTIME, ...args);
}

/** Returns what this machine lacks for building and running images, or null. */
export async function missingForImages(): Promise<string | null> {
  if (process.platform !== 'linux') return 'it requires Linux';
  if (process.getuid?.() !== 0) return 'it requires root';
  for (const tool of ['buildah', 'podman', 'runc', 'debootstrap', 'ip']) {
    const isThere = await run('which', tool).then(
      () => true,
      () => false,
    );
    if (!isThere) return `${tool} is missing`;
  }
  return null;
}
