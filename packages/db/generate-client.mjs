// Generates the Prisma client. `prisma generate` insists on a schema engine binary that it never runs and would
// download; pointing it at any executable keeps the installation off the network.
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
