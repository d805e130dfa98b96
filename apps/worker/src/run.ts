import { UnusableDatabaseError } from '@deal-signals/db/database-errors';
import { escapeForTerminal, escapeLinesForTerminal } from '@deal-signals/db/escape-for-terminal';
import { createLogger, describeError } from '@deal-signals/runtime/logger';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';
import { warnAboutUnknownSettings } from '@deal-signals/runtime/unknown-settings';
import { readConfig, workerPrefixes, workerSettings } from './config.ts';
import { startWorker } from './worker.ts';

/** Runs until SIGTERM or SIGINT. The exit code is 0 if every running attempt finished. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger('worker', config.logLevel);
  warnAboutUnknownSettings(logger, process.env, workerSettings, workerPrefixes);
  const stopping = new AbortController();
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // The handler stays installed: a second signal must not cut the shutdown short.
      process.on(signal, () => {
        stopping.abort();
        resolve(signal);
      });
    }
  });
  logger.info('worker starting');
  try {
    const worker = await startWorker(config, logger, stopping.signal);
    logger.info('draining', { signal: await stopped });
    const isClean = await worker.drain();
    logger.info('worker stopped', { clean: isClean });
    process.exitCode = isClean ? 0 : 1;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    logger.info('worker stopped', { clean: true });
  }
}

try {
  await main();
} catch (error) {
  const isPlain = error instanceof ConfigurationError || error instanceof UnusableDatabaseError;
  const { error: named, stack = named } = describeError(error);
  process.stderr.write(`${isPlain ? escapeForTerminal(error.message) : escapeLinesForTerminal(stack)}\n`);
  process.exitCode = 1;
}
// The shutdown is over, so remaining handles must not keep the process alive.
process.exit();
