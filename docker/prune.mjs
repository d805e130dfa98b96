// Removes files of installed packages that no process in an image reads. Run it in the folder that contains `node_modules`. The
// tests of the images (`SUITE=images pnpm test`) drive every process and load every page, so they fail if one of these files is
// needed after all.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Source maps, types and TypeScript: Node.js reads none of them. */
const UNREAD = /\.(map|[cm]?ts)$/;

/** Only the matching files of these folders are needed. */
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
    // The targets of links are visited separately.
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
