import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { currentTestRun } from '@deal-signals/test-kit/test-run';
import type { DiagnoseMigrationHistoryOutput } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { NO_FILTERS } from '../../draft/schema-engine.ts';
import { PRISMA_FOLDER, readMigrations } from '../../src/migrations/schema-files.ts';

const MIGRATIONS_FOLDER = path.join(PRISMA_FOLDER, 'migrations');
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const ENGINE = [
  '--conditions=source',
  '--import',
  'tsx',
  path.join(PACKAGE, 'test/tools/schema-engine-process.ts'),
];
const CLI = createRequire(import.meta.url).resolve('prisma/build/index.js');

export interface PrismaRun {
  exitCode: number | null;
  output: string;
}

/**
 * Runs a command of Prisma's own command line tool on the migrations of this repository, for example `migrate status`. It
 * downloads nothing, because it is configured with our schema engine, the WebAssembly build.
 */
export async function runPrisma(databaseUrl: string, command: string[]): Promise<PrismaRun> {
  const folder = path.join(currentTestRun().folder, `prisma-${randomUUID()}`);
  await mkdir(folder);
  const engine = path.join(folder, 'schema-engine');
  const words = [process.execPath, ...ENGINE].map((word) => `'${word}'`).join(' ');
  await writeFile(engine, `#!/bin/sh\ncd '${PACKAGE}' && exec ${words} "$@"\n`);
  await chmod(engine, 0o755);
  const config = path.join(folder, 'prisma.config.mjs');
  await writeFile(
    config,
    `export default ${JSON.stringify({
      schema: path.join(PRISMA_FOLDER, 'schema.prisma'),
      migrations: { path: MIGRATIONS_FOLDER },
      datasource: { url: databaseUrl },
    })};`,
  );
  return run([CLI, ...command, '--config', config], '', {
    PRISMA_SCHEMA_ENGINE_BINARY: engine,
    PRISMA_HIDE_UPDATE_MESSAGE: 'true',
    CHECKPOINT_DISABLE: '1',
  });
}

/** Returns the result of Prisma's schema engine when it compares the migrations on disk with the history of a database. */
export async function diagnose(databaseUrl: string): Promise<DiagnoseMigrationHistoryOutput> {
  const migrations = await readMigrations();
  const params = {
    migrationsList: {
      baseDir: MIGRATIONS_FOLDER,
      lockfile: {
        path: 'migration_lock.toml',
        content: await readFile(path.join(MIGRATIONS_FOLDER, 'migration_lock.toml'), 'utf8'),
      },
      shadowDbInitScript: '',
      migrationDirectories: migrations.map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
      })),
    },
    optInToShadowDatabase: false,
    filters: NO_FILTERS,
  };
  const request = { jsonrpc: '2.0', id: 1, method: 'diagnoseMigrationHistory', params };
  const { output } = await run(
    [...ENGINE, '--datasource', JSON.stringify({ url: databaseUrl })],
    `${JSON.stringify(request)}\n`,
  );
  const response = JSON.parse(output) as { result?: DiagnoseMigrationHistoryOutput };
  if (response.result === undefined) throw new Error(output);
  return response.result;
}

async function run(args: string[], input: string, env: NodeJS.ProcessEnv = {}): Promise<PrismaRun> {
  const { NODE_OPTIONS: _jestFlags, ...inherited } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: PACKAGE,
    env: { ...inherited, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { exitCode, output: `${stdout}${stderr}` };
}
