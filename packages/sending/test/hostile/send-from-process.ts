import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { testCaFile } from '@deal-signals/test-kit/https-receiver';
import type { SendResult } from '../../src/guarded-send.ts';

const SCRIPT = path.join(import.meta.dirname, 'send-to-each.ts');
const PROCESS_LIMIT_MS = 180_000;

/**
 * Sends to each of the URLs at once, from a process that has nothing else to do: it dies of an error that nobody handles
 * and stays for ever when something is left under way.
 *
 * @param environment of that process, besides the path.
 * @returns what each request came to, and what the process wrote to its standard error.
 * @throws Error when the process fails or does not end by itself.
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
