import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';

export interface Chromium {
  executablePath: string;
  /** Variables that the browser needs in addition to the environment of this process. */
  environment: Record<string, string>;
}

const PACKAGE = '@sparticuz/chromium';
const NAMES_ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CACHE = path.join(REPOSITORY_ROOT, 'node_modules/.cache');

const requireFromHere = createRequire(import.meta.url);

/** Whether {@link prepareChromium} finds a browser on this machine. */
export function hasChromium(): boolean {
  return installedChromium() !== undefined || packageHasChromium();
}

/**
 * Returns the browser of the tests: the one that `CHROMIUM_PATH` names, else one on the PATH, else the one in the npm package,
 * which is unpacked first (3 seconds, once per version of the package).
 *
 * @throws Error where {@link hasChromium} is false.
 */
export async function prepareChromium(): Promise<Chromium> {
  const installed = installedChromium();
  if (installed !== undefined) {
    return { executablePath: installed, environment: { FONTCONFIG_FILE: await writeFontSettings([]) } };
  }
  if (!packageHasChromium()) throw new Error(`${PACKAGE} has no Chromium for this machine`);
  const folder = await unpackChromium();
  return {
    executablePath: path.join(folder, 'chromium'),
    environment: {
      // Libraries that a machine without a desktop lacks, such as NSS.
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: await writeFontSettings([path.join(folder, 'fonts')]),
    },
  };
}

/** The npm package installs everywhere, but its program runs only on Linux on x64. */
function packageHasChromium(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

function installedChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders
    .flatMap((folder) => NAMES_ON_PATH.map((name) => path.join(folder, name)))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks the browser of the npm package into a folder of this checkout.
 * The package unpacks straight into the temporary folder, where a second process could start a half-written program. A
 * separate process therefore unpacks into a temporary folder of its own, which is then renamed atomically.
 */
async function unpackChromium(): Promise<string> {
  const { version } = requireFromHere(path.join(packageFolder(), 'package.json')) as { version: string };
  const folder = path.join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unpacked = await mkdtemp(`${folder}-`);
  try {
    const program = `import chromium from '${PACKAGE}'; await chromium.executablePath();`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      // The package adds the libraries only if this variable names an environment that lacks them.
      env: { PATH: process.env['PATH'], TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    });
    await rename(unpacked, folder).catch((error: unknown) => {
      // Another process was faster and unpacked the same files.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
  return folder;
}

function packageFolder(): string {
  // Its package.json is not exported. The folder is three levels above its CommonJS file, build/cjs/index.cjs.
  return path.join(requireFromHere.resolve(PACKAGE), '../../..');
}

/**
 * Makes every browser show the same fonts on every machine, including one without any, where text would be invisible. DejaVu
 * has a monospaced font and the arrows and check marks that Open Sans lacks.
 *
 * @param folders with fonts, in addition to DejaVu.
 * @returns the file for fontconfig.
 */
async function writeFontSettings(folders: string[]): Promise<string> {
  const dejavu = path.join(path.dirname(requireFromHere.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const prefer = (families: string[], fonts: string[]) =>
    families.map(
      (family) =>
        `<match target="pattern"><test name="family"><string>${family}</string></test>` +
        `<edit name="family" mode="prepend" binding="strong">${fonts.map((font) => `<string>${font}</string>`).join('')}</edit></match>`,
    );
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...[...folders, dejavu].map((folder) => `<dir>${folder}</dir>`),
    `<cachedir>${path.join(CACHE, 'fontconfig')}</cachedir>`,
    ...prefer(['sans-serif', 'system-ui', 'Helvetica', 'Arial'], ['Open Sans', 'DejaVu Sans']),
    ...prefer(['monospace', 'Courier New'], ['DejaVu Sans Mono']),
    ...prefer(['serif', 'Times New Roman'], ['DejaVu Serif']),
    '</fontconfig>',
  ];
  await mkdir(CACHE, { recursive: true });
  const file = path.join(CACHE, folders.length === 0 ? 'fonts-of-tests.conf' : 'fonts-of-package.conf');
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${lines.join('\n')}\n`);
  await rename(written, file);
  return file;
}
