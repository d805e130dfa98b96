import { chown, readFile, stat } from 'node:fs/promises';

/** The conventional ids of `nobody` and its group. */
const NOBODY = { uid: 65534, gid: 65534 };

/** Bit numbers of Linux capabilities, from `linux/capability.h`. */
const CAPABILITY_BITS = { dac_override: 1n, dac_read_search: 2n, setpcap: 8n };

/** The user that a program runs as. */
export interface UnprivilegedUser {
  /** Returns the command line that runs a program as that user. */
  commandLine(program: string, args: string[]): { command: string; args: string[] };
  /** Makes that user the owner of a file or folder. */
  own(fileOrFolder: string): Promise<void>;
}

/**
 * Chooses the user that PostgreSQL runs as, because it refuses to run as root. If this process runs as root, that is
 * the owner of an existing data folder, or else `nobody`. That user keeps one capability to pass through the parent
 * folders, because a checkout is often in a home directory that other users cannot enter.
 *
 * @throws Error if this process runs as root on a system other than Linux.
 */
export async function unprivilegedUser(program: string, dataFolder: string): Promise<UnprivilegedUser> {
  if (process.getuid?.() !== 0) {
    return { commandLine: (command, args) => ({ command, args }), own: async () => {} };
  }
  if (process.platform !== 'linux') {
    throw new Error('PostgreSQL does not run as root: start the stack as another user');
  }
  const { uid, gid } = await stat(dataFolder).catch(() => NOBODY);
  const capability = await traversalCapability(program);
  const capabilityArgs =
    capability === undefined
      ? []
      : [
          `--inh-caps=+${capability}`,
          `--ambient-caps=+${capability}`,
          // Without this bit, access() ignores the capabilities of every user but root, and initdb relies on access().
          '--securebits=+no_setuid_fixup',
        ];
  return {
    commandLine: (command, args) => ({
      command: 'setpriv',
      args: [
        `--reuid=${uid}`,
        `--regid=${gid}`,
        '--clear-groups',
        '--no-new-privs',
        ...capabilityArgs,
        command,
        ...args,
      ],
    }),
    own: (fileOrFolder) => chown(fileOrFolder, uid, gid),
  };
}

/**
 * Chooses the weakest sufficient capability. `dac_read_search` opens folders and reads files, which is enough if other
 * users may execute the program. Root in a container often has only `dac_override`, and sometimes no capability that it
 * can pass on.
 */
async function traversalCapability(program: string): Promise<keyof typeof CAPABILITY_BITS | undefined> {
  const status = await readFile('/proc/self/status', 'utf8');
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const holds = (name: keyof typeof CAPABILITY_BITS) => (permitted >> CAPABILITY_BITS[name]) % 2n === 1n;
  if (!holds('setpcap')) return undefined;
  const othersMayExecute = ((await stat(program)).mode & 0o001) !== 0;
  if (othersMayExecute && holds('dac_read_search')) return 'dac_read_search';
  return holds('dac_override') ? 'dac_override' : undefined;
}
