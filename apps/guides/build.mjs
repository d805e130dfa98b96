import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

/**
 * Builds the guides into `dist/site`, and compresses files larger than a packet in advance. With `--if-stale`, builds only if a
 * source is newer than the last build.
 */
const PACKAGE = import.meta.dirname;
const OUTPUT = path.join(PACKAGE, 'dist/building');
const SITE = path.join(PACKAGE, 'dist/site');
const ROOT = path.join(PACKAGE, '../..');
const SOURCES = ['src', '.vitepress/config.ts', '.vitepress/theme', 'reference', 'package.json', 'build.mjs']
  .map((name) => path.join(PACKAGE, name))
  .concat(['docs', 'CHANGELOG.md'].map((name) => path.join(ROOT, name)));
const COMPRESSED = /\.(html|js|css|json|md|txt|svg)$/;
const LEAST_BYTES = 1400;
/** Nearly as small as the highest level, in a fraction of the time. */
const BROTLI_QUALITY = 9;

/** Contains the id of the process that is building. */
const LOCK = path.join(PACKAGE, 'dist/lock');

const isNeeded = () => !process.argv.includes('--if-stale') || isStale();
if (isNeeded()) {
  await lock();
  try {
    // Another process may have built the site in the meantime.
    if (isNeeded()) await buildSite();
  } finally {
    await rm(LOCK, { force: true });
  }
}

async function buildSite() {
  process.env.NODE_ENV = 'production';
  const { build } = await import('vitepress');
  await build(PACKAGE, { logLevel: 'warn' });
  await compress(OUTPUT);
  // The rename is atomic, so readers never see a partial folder.
  await rm(SITE, { recursive: true, force: true });
  await rename(OUTPUT, SITE);
}

/**
 * Waits for builds of other processes, such as a second test file, because VitePress uses one folder for intermediate files.
 */
async function lock() {
  await mkdir(path.dirname(LOCK), { recursive: true });
  for (;;) {
    try {
      await writeFile(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned()) await rm(LOCK, { force: true });
      else await setTimeout(200);
    }
  }
}

/** Whether the process that holds the lock has ended. */
function isAbandoned() {
  try {
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function isStale() {
  const built = statSync(path.join(SITE, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.some((source) => newest(source) > built);
}

/** Returns when a file, or anything in a folder, was last changed. */
function newest(file) {
  const status = statSync(file);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

async function compress(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSED.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      if (content.length < LEAST_BYTES) return;
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    }),
  );
}
