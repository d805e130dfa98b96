import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The package only exports its parts for applications, and its stylesheet, next to which the build for browsers is. */
const SCALAR = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@scalar/api-reference/style.css')),
  'browser',
);
const SCALAR_MODULE = 'standalone.esm.js';

/** A file that never changes under its path, because the path contains a version or a hash of the content. */
export interface Asset {
  type: 'js' | 'css' | 'json';
  read: () => Promise<Buffer>;
}

/** An asset that we make ourselves, with its name: `<name>-<hash>.<type>`. */
export function madeAsset(name: string, type: Asset['type'], text: string): { name: string; asset: Asset } {
  const content = Buffer.from(text);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { name: `${name}-${hash}.${type}`, asset: { type, read: () => Promise.resolve(content) } };
}

/**
 * Lists the modules of Scalar's build for browsers by the names under which they are served. They import each other by
 * relative paths, so all have the folder with the version.
 */
export async function listScalar(): Promise<{ entry: string; assets: Map<string, Asset> }> {
  const manifest: { version: string } = JSON.parse(
    await readFile(path.join(SCALAR, '../../package.json'), 'utf8'),
  );
  const chunks = await readdir(path.join(SCALAR, 'chunks'));
  const files = [SCALAR_MODULE, ...chunks.map((name) => `chunks/${name}`)].filter((file) =>
    file.endsWith('.js'),
  );
  const folder = `scalar-${manifest.version}`;
  const assets = files.map((file): [string, Asset] => [
    `${folder}/${file}`,
    { type: 'js', read: () => readFile(path.join(SCALAR, file)) },
  ]);
  return { entry: `${folder}/${SCALAR_MODULE}`, assets: new Map(assets) };
}
