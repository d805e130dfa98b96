import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COMMAND = path.join(ROOT, 'apps/api/postman/postman-command.ts');
/** Ten times the current size. */
const MAX_BYTES = 4_000_000;

/** Generates the Postman collection of the API in this checkout. It is not committed. */
export async function makePostmanCollection(): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', COMMAND],
    { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: MAX_BYTES },
  );
  return stdout;
}
