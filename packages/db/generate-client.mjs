// Generates the Prisma client. `prisma generate` requires a schema engine binary, which it would download but never run. Naming
// any executable instead avoids the download.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js');
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { status } = spawnSync(process.execPath, [prisma, 'generate', '--schema', 'prisma/schema.prisma'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: 'true' },
});
process.exit(status ?? 1);
