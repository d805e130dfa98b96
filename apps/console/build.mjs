import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

/**
 * Builds the console into `dist`, and compresses scripts and styles in advance at the highest level. With `--if-stale`, builds
 * only if a source is newer than the last build.
 */
const PACKAGE = import.meta.dirname;
const SOURCES = ['src', 'index.html', 'vite.config.ts', 'package.json', 'build.mjs'];
const PAGE = path.join(PACKAGE, 'dist/index.html');
const COMPRESSED = /\.(js|css|svg)$/;

if (!process.argv.includes('--if-stale') || isStale()) {
  await build({ root: PACKAGE, configFile: path.join(PACKAGE, 'vite.config.ts'), logLevel: 'warn' });
  compress(path.join(PACKAGE, 'dist/assets'));
}

function isStale() {
  const built = statSync(PAGE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.some((source) => newest(path.join(PACKAGE, source)) > built);
}

/** Returns when a file, or anything in a folder, was last changed. Ignores generated routes, which the build itself writes. */
function newest(file) {
  const status = statSync(file);
  if (!status.isDirectory()) return file.endsWith('.gen.ts') ? 0 : status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

function compress(folder) {
  for (const name of readdirSync(folder).filter((file) => COMPRESSED.test(file))) {
    const file = path.join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  }
}
