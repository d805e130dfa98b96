import { execFile } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';

/** The folder of this package. */
export const BENCH = path.join(REPOSITORY_ROOT, 'packages/tools/bench');

/** The smallest possible run. A deep page needs 200 rows before the last page. */
export const TINY =
  '--rounds 1 --slice-ms 20 --connections 2 --warm-up 20 --events 300 --views 300 --rooms 300 --calls 300 --room-events 300 --paced-ms 200 --deliveries 20 --singles 20 --bulk 100';

/** The smallest possible run. Sparse pages need 100 of 120 events that are spread over 600, and a claim needs a batch of 50. */
export const TINY_GROWTH =
  '--growth --rounds 1 --slice-ms 20 --connections 2 --growth-few-events 600 --growth-events 1200 --growth-few-pending 60 --growth-pending 120 --growth-workspaces 20';

/** Runs the bench as `pnpm bench` does. Returns how it ended, and its output. */
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
