import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { temporaryFolder } from '../../../../../clients/typescript/test/temporary-folder.ts';

const run = promisify(execFile);

/** The source of the Python package. */
export const PACKAGE = path.join(REPOSITORY_ROOT, 'packages/clients/python');

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');
/** The downloads of pip, so that only the first run needs a network. */
const WHEELS = path.join(REPOSITORY_ROOT, 'node_modules/.cache/deal-signals-python');

/** The reason why the Python package cannot be installed on this machine; undefined if it can. */
export const WHY_NOT = whyNot();

/** A virtual environment with only the built package and its dependencies. */
export interface PythonEnvironment {
  /** The interpreter of the environment. */
  python: string;
  /** The interpreter of another environment, with the tools for types and builds. */
  toolsPython: string;
  /** The names of the built files. */
  built: string[];
}

function whyNot(): string | undefined {
  const [version, venv] = [
    ['pip', '--version'],
    ['venv', '--help'],
  ].map(([module = '', option = '']) => spawnSync('python3', ['-m', module, option], { encoding: 'utf8' }));
  if (version?.error) return 'PYTHON3 IS NOT ON THIS MACHINE';
  if (venv?.status !== 0) return 'PYTHON HAS NO VENV ON THIS MACHINE';
  const [, major = 0, minor = 0] = /^pip (\d+)\.(\d+)/.exec(version?.stdout ?? '')?.map(Number) ?? [];
  // From this version on, pip can install into the environment of another interpreter.
  const isNewEnough = major > 22 || (major === 22 && minor >= 3);
  return isNewEnough ? undefined : 'PIP IS NOT ON THIS MACHINE, or older than 22.3';
}

/**
 * Builds the package as it is published, and installs the wheel into an empty environment.
 *
 * @returns undefined if pip cannot download the required packages, for example without a network. A warning reports it.
 * @throws Error if the package cannot be built or installed.
 */
export async function installPythonPackage(): Promise<PythonEnvironment | undefined> {
  const folder = temporaryFolder();
  const inFolder = (name: string) => path.join(folder, name);
  const python = (environment: string) => path.join(inFolder(environment), 'bin/python');
  const pip = (...args: string[]) =>
    run('python3', ['-m', 'pip', '--disable-pip-version-check', '--quiet', ...args]);
  const offline = ['--no-compile', '--no-index', '--find-links', WHEELS];

  await Promise.all(
    ['tools', 'consumer'].map((name) => run('python3', ['-m', 'venv', '--without-pip', inFolder(name)])),
  );
  const installTools = () => pip('--python', python('tools'), 'install', ...offline, '-r', REQUIREMENTS);
  try {
    await installTools();
  } catch {
    try {
      await pip('download', '--only-binary', ':all:', '--dest', WHEELS, '-r', REQUIREMENTS);
    } catch (error) {
      console.warn(`THE PYTHON CLIENT IS NOT TESTED: pip failed to download packages. ${String(error)}`);
      return undefined;
    }
    await installTools();
  }
  // Outside of the checkout, which must not contain build results.
  cpSync(PACKAGE, inFolder('package'), { recursive: true });
  await run(python('tools'), [
    '-m',
    'build',
    '--no-isolation',
    '--outdir',
    inFolder('dist'),
    inFolder('package'),
  ]);
  const built = readdirSync(inFolder('dist')).toSorted();
  const wheel = built.find((name) => name.endsWith('.whl')) ?? '';
  // Only the dependencies of httpx are available, so an additional dependency could not be installed.
  await pip('--python', python('consumer'), 'install', ...offline, path.join(inFolder('dist'), wheel));
  return { python: python('consumer'), toolsPython: python('tools'), built };
}
