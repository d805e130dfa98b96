import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { podman, run } from './engine.ts';

/** Increment it when this file produces another image. */
const VERSION = 1;
const NPM = 'npm@11';
const AUTHORITY = 'etc/ssl/certs/machine.pem';
/** Files that no process in a container reads. */
const UNREAD = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'];

/**
 * Builds an image like the base image of the Dockerfile from Debian's packages and Node.js from npm, because not every machine
 * reaches an image registry. It stays on the machine for the next run.
 * If this machine names a certificate authority of its own for the package registry, the image trusts it too, where npm and
 * pnpm look when they run as root.
 *
 * @returns the name of the image.
 */
export async function openBaseImage(): Promise<string> {
  const dockerfile = await readFile(path.join(REPOSITORY_ROOT, 'docker/Dockerfile'), 'utf8');
  const [, node, suite] = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-(\w+)-slim@/m.exec(dockerfile) ?? [];
  if (node === undefined || suite === undefined) throw new Error('the Dockerfile has no Node.js base image');
  const authorityFile = process.env['npm_config_cafile'] ?? process.env['NODE_EXTRA_CA_CERTS'];
  const authority = authorityFile === undefined ? '' : await readFile(authorityFile, 'utf8');
  const made = createHash('sha256')
    .update(JSON.stringify([VERSION, node, suite, NPM, authority]))
    .digest('hex');
  const name = `localhost/deal-signals-test-base:${made.slice(0, 12)}`;
  const isThere = await podman('image', 'exists', name).then(
    () => true,
    () => false,
  );
  if (!isThere) await makeBaseImage(name, { node, suite, authority });
  return name;
}

async function makeBaseImage(
  name: string,
  { node, suite, authority }: { node: string; suite: string; authority: string },
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-signals-base-'));
  try {
    const root = path.join(folder, 'root');
    // Node.js needs libatomic1.
    await run('debootstrap', '--variant=minbase', '--include=ca-certificates,libatomic1', suite, root);
    await unpack(`node-linux-${process.arch}@${node}`, path.join(folder, 'node'));
    await copyFile(path.join(folder, 'node/bin/node'), path.join(root, 'usr/local/bin/node'));
    const npm = 'usr/local/lib/node_modules/npm';
    await unpack(NPM, path.join(root, npm));
    for (const command of ['npm', 'npx'])
      await symlink(`/${npm}/bin/${command}-cli.js`, path.join(root, 'usr/local/bin', command));
    await run('chroot', root, 'groupadd', '--gid', '1000', 'node');
    await run('chroot', root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node');
    if (authority !== '') {
      await writeFile(path.join(root, AUTHORITY), authority);
      await writeFile(path.join(root, 'root/.npmrc'), `cafile=/${AUTHORITY}\n`);
    }
    for (const unread of UNREAD) await rm(path.join(root, unread), { recursive: true, force: true });
    const archive = path.join(folder, 'root.tar');
    await run('tar', '--create', '--directory', root, '--file', archive, '.');
    await podman(
      'import',
      '--change',
      'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      archive,
      name,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Unpacks a package of npm into a folder. */
async function unpack(specifier: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const archive = await run('npm', 'pack', specifier, '--silent', '--pack-destination', folder);
  const file = path.join(folder, archive.split('\n').at(-1) ?? '');
  await run('tar', '--extract', '--strip-components=1', '--directory', folder, '--file', file);
  await rm(file);
}
