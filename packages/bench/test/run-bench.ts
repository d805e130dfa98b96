import { execFile } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';

/** The folder of this package. */
export const BENCH = path.join(REPOSITORY_ROOT, 'packages/bench');

/** As little as there can be: pages need 100 rows after their middle. */
export const TINY =
  '--rounds 1 --slice-ms 20 --connections 2 --warm-up 20 --events 300 --views 300 --rooms 300 --calls 300 --room-events 300 --paced-ms 100 --deliveries 20 --delivery-rounds 1 --latency-ms 200 --singles 20 --bulk 100';

/** Sparse pages need 100 of 120 events that are spread over 600, and a group of attempts needs 20 claims. */
export const TINY_GROWTH =
  '--growth --slice-ms 20 --connections 2 --singles 5 --growth-rounds 1 --growth-few-events 600 --growth-events 1200 --growth-few-pending 60 --growth-pending 120 --growth-workspaces 20 --growth-few-claims 20 --growth-claims 40 --growth-few-requests 20 --growth-requests 60 --growth-few-deliveries 20 --growth-deliveries 60 --growth-few-lines 20 --growth-lines 40 --growth-keys 3 --growth-endpoints 3';

/** Starts the bench as `pnpm bench` does. @returns how it ended, and what it has written. */
export function runBench(
  args: string,
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', path.join(BENCH, 'src/command.ts'), ...args.split(' ')],
      { cwd: REPOSITORY_ROOT, env: { ...process.env, NODE_OPTIONS: '', ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
