import { parseArgs } from 'node:util';
import { runCapture } from '@deal-signals/capture/command';
import { LOCAL_FOLDER } from '../files/local-folder.ts';
import { findDatabaseUrl } from './connection-urls.ts';

const BAD_USAGE_EXIT_CODE = 2;

/** `pnpm capture FILE`: captures newline-delimited JSON; `-` reads standard input. */
try {
  const [file, ...others] = parseArgs({ strict: true, allowPositionals: true, options: {} }).positionals;
  if (file === undefined || others.length > 0) throw new Error('exactly one FILE is needed');
  const databaseUrl = await findDatabaseUrl(process.env, LOCAL_FOLDER);
  process.exitCode = await runCapture(file, databaseUrl);
} catch (error) {
  console.error(
    `pnpm capture: ${(error as Error).message}\nusage: pnpm capture FILE (or - for standard input)`,
  );
  process.exitCode = BAD_USAGE_EXIT_CODE;
}
