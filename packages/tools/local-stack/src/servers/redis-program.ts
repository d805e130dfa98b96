import { constants } from 'node:fs';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../processes/run-command.ts';

const PROGRAMS = ['redis-server', 'valkey-server'];
const DEBIAN_PACKAGE = 'redis-server';
/** Debian's package scripts run this program before they start a service. Exit code 101 tells them not to. */
const SERVICE_POLICY_FILE = '/usr/sbin/policy-rc.d';
const SERVICE_POLICY =
  '#!/bin/sh\n# Put here by the Deal Signals local stack while it installs Redis.\nexit 101\n';
const APT_GET = ['-o', 'DPkg::Lock::Timeout=120', '--quiet', '--yes'];

export interface RedisProgramOptions {
  /** Reports, before anything happens, that a package is about to be installed. */
  say?: (line: string) => void;
  /** Whether a package may be installed. Default: true. */
  mayInstall?: boolean;
}

/**
 * Finds a Redis server program. If there is none and this process runs as root on Debian or Ubuntu, installs the
 * distribution's package, unless `mayInstall` is false.
 *
 * @returns the path of the program.
 * @throws Error that lists the ways to get one.
 */
export async function findRedisProgram({
  say = () => {},
  mayInstall = true,
}: RedisProgramOptions = {}): Promise<string> {
  const found = await findOnPath(PROGRAMS);
  if (found !== undefined) return found;
  if (mayInstall && process.getuid?.() === 0 && (await isDebian())) {
    say(
      `Neither redis-server nor valkey-server was found: installing the package ${DEBIAN_PACKAGE} with apt-get. ` +
        'To prevent this, use `pnpm start --no-install` or set REDIS_URL.',
    );
    await installDebianPackage();
    const installed = await findOnPath(PROGRAMS);
    if (installed !== undefined) return installed;
  }
  throw new Error(explainMissing(mayInstall));
}

function explainMissing(mayInstall: boolean): string {
  return [
    'Redis is missing: neither redis-server nor valkey-server is on the PATH' +
      (mayInstall ? '.' : ', and --no-install forbids installing it.'),
    'Do one of these:',
    '  - install Redis or Valkey, for example with "sudo apt-get install redis-server" or "brew install redis"',
    '  - set REDIS_URL to a Redis that is already running',
    mayInstall
      ? '  - run this as root on Debian or Ubuntu; the package is then installed for you'
      : '  - leave out --no-install; as root on Debian or Ubuntu the package is then installed for you',
  ].join('\n');
}

async function findOnPath(programs: string[]): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const program of programs) {
    for (const folder of folders) {
      const file = path.join(folder, program);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether this is Debian or a distribution based on it, such as Ubuntu. */
async function isDebian(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID(_LIKE)?=.*\bdebian\b/m.test(release) && (await findOnPath(['apt-get'])) !== undefined;
}

/** Installs the program and keeps the package's system service from starting: the stack starts its own server. */
async function installDebianPackage(): Promise<void> {
  const allowServiceStarts = await forbidServiceStarts();
  try {
    await aptGet('update');
    await aptGet('install', '--no-install-recommends', DEBIAN_PACKAGE);
  } finally {
    await allowServiceStarts();
  }
  // The service must not start at boot either. Without this tool, nothing would start it.
  await runCommand('update-rc.d', [DEBIAN_PACKAGE, 'disable']).catch(() => {});
}

async function aptGet(verb: string, ...args: string[]): Promise<void> {
  const { exitCode, output } = await runCommand('apt-get', [...APT_GET, verb, ...args], {
    environment: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  if (exitCode === 0) return;
  const end = output.trimEnd().split('\n').slice(-8).join('\n');
  throw new Error(
    `apt-get ${verb} failed, so Redis is still missing. Install it yourself, or set REDIS_URL.\n${end}`,
  );
}

/** Keeps package scripts from starting services, unless the machine has its own policy. Returns an undo function. */
async function forbidServiceStarts(): Promise<() => Promise<void>> {
  const present = await readFile(SERVICE_POLICY_FILE, 'utf8').catch(() => undefined);
  if (present !== undefined && present !== SERVICE_POLICY) return async () => {};
  await writeFile(SERVICE_POLICY_FILE, SERVICE_POLICY, { mode: 0o755 });
  return () => rm(SERVICE_POLICY_FILE, { force: true });
}
