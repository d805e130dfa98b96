import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { testCaFile } from '@deal-signals/test-kit/servers/https-receiver';
import type { SendResult } from '../../src/guard/guarded-send.ts';

const SCRIPT = path.join(import.meta.dirname, 'send-to-each.ts');
const PROCESS_LIMIT_MS = 45_000;

/**
 * Sends to all URLs at once, from a separate process. An unhandled error makes it fail, and an open request keeps it from ending.
 *
 * @param environment the variables of that process, in addition to the path.
 * @returns the result of each request, and what the process wrote to standard error.
 * @throws Error if the process fails or does not end by itself.
 */
export async function sendFromProcess(
  urls: readonly string[],
  timeoutMs: number,
  environment: Record<string, string>,
): Promise<{ results: SendResult[]; warnings: string }> {
  const node = ['--conditions=source', '--import', 'tsx', SCRIPT];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...node, testCaFile(), String(timeoutMs), ...urls],
    { timeout: PROCESS_LIMIT_MS, env: { PATH: process.env['PATH'], ...environment } },
  );
  return { results: JSON.parse(stdout) as SendResult[], warnings: stderr };
}
