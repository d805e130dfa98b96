import { chown, readFile, stat } from 'node:fs/promises';

/** The conventional ids of `nobody` and its group. */
const NOBODY = { uid: 65534, gid: 65534 };

/** Numbers of Linux capabilities. */
const CAPABILITY_BITS = { dac_override: 1n, dac_read_search: 2n, setpcap: 8n };

/** Whom a program is run as. */
export interface UnprivilegedUser {
  /** The command line that runs a program as that user. */
  commandLine(program: string, args: string[]): { command: string; args: string[] };
  /** Hands a file or folder to that user. */
  own(fileOrFolder: string): Promise<void>;
}

/**
 * PostgreSQL refuses to run as root. As root this picks the owner of an existing data folder, else `nobody`, and lets
 * it keep one capability to pass through the folders above: a checkout often lies below a home that others may not
 * enter.
 *
 * @throws Error as root on a system other than Linux.
 */
export async function unprivilegedUser(program: string, dataFolder: string): Promise<UnprivilegedUser> {
  if (process.getuid?.() !== 0) {
    return { commandLine: (command, args) => ({ command, args }), own: async () => {} };
  }
  if (process.platform !== 'linux') {
    throw new Error('PostgreSQL does not run as root: start the stack as an ordinary user');
  }
  const { uid, gid } = await stat(dataFolder).catch(() => NOBODY);
  const capability = await traversalCapability(program);
  const capabilityArgs =
    capability === undefined
      ? []
      : [
          `--inh-caps=+${capability}`,
          `--ambient-caps=+${capability}`,
          // Without this bit the access() call ignores the capabilities of anybody but root, and initdb relies on it.
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
 * The weaker capability opens folders and reads files, which is enough as long as others may execute the program. A
 * container's root often holds only the stronger one, and sometimes none that can be handed down.
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
