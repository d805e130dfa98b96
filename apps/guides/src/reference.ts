import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const PAGE = path.join(import.meta.dirname, '../reference');
/** The package only exports parts for applications, and its stylesheet. The build for browsers is next to the stylesheet. */
const SCALAR = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@scalar/api-reference/style.css')),
  'browser',
);

/**
 * Writes the reference into the folder of the site: its page, and Scalar's build for browsers. Scalar's modules import each
 * other by relative paths, so they share a folder, whose name contains the version.
 */
export async function writeReference(site: string): Promise<void> {
  const { version } = JSON.parse(await readFile(path.join(SCALAR, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const chunks = await readdir(path.join(SCALAR, 'chunks'));
  for (const file of ['standalone.esm.js', ...chunks.map((name) => `chunks/${name}`)]) {
    if (file.endsWith('.js'))
      await cp(path.join(SCALAR, file), path.join(site, `assets/scalar-${version}`, file));
  }
  for (const name of ['reference.css', 'reference.js', 'index.html']) {
    const text = await readFile(path.join(PAGE, name), 'utf8');
    await writeFile(path.join(site, name), text.replace('scalar-VERSION', `scalar-${version}`));
  }
}
