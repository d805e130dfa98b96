// Removes what no process in an image reads from its installed packages: run in the folder that holds `node_modules`. The tests of
// the images (`SUITE=images pnpm test`) drive every process and load every page, so they fail if one of these files is needed after all.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Source maps, types and TypeScript: Node.js reads none of them. */
const UNREAD = /\.(map|[cm]?ts)$/;

/** Of these folders, only the files that match are read. */
const READ = [
  // The generated client imports its own runtime and the compiler of PostgreSQL's queries. The others are for other databases.
  {
    folder: '@prisma/client/runtime',
    files: /^(client\.js|query_compiler_fast_bg\.postgresql(\.wasm-base64)?\.mjs)$/,
  },
];

function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    // Links lead to folders that are visited by themselves.
    if (entry.isDirectory()) prune(file);
    else if (entry.isFile() && !isRead(file)) rmSync(file);
  }
}

function isRead(file) {
  return (
    !UNREAD.test(file) &&
    READ.every(({ folder, files }) => {
      const [, inside] = file.split(`/node_modules/${folder}/`);
      return inside === undefined || files.test(inside);
    })
  );
}

prune('node_modules/.pnpm');
