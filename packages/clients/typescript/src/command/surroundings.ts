import { EXIT_CODES, type Surroundings } from './command.ts';

/** Returns the surroundings of this process. The first Ctrl-C stops the command properly, the second one at once. */
export function processSurroundings(env: Surroundings['env'] = process.env): Surroundings {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted);
      controller.abort();
    });
  }
  // A closed pipe, for example to `head`, is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODES.done);
    throw error;
  });
  let isProgressShown = false;
  const clearProgress = (): void => {
    if (isProgressShown) process.stderr.write('\r\u001B[K');
    isProgressShown = false;
  };
  return {
    env,
    input: () => process.stdin,
    print(line) {
      clearProgress();
      process.stdout.write(`${line}\n`);
    },
    report(line) {
      clearProgress();
      process.stderr.write(`${line}\n`);
    },
    showProgress: process.stderr.isTTY
      ? (line) => {
          const width = Math.max(20, (process.stderr.columns || 80) - 1);
          process.stderr.write(`\r${line.slice(0, width)}\u001B[K`);
          isProgressShown = true;
        }
      : null,
    signal: controller.signal,
  };
}
