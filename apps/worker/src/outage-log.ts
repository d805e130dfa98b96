import { describeError, type Logger } from '@deal-signals/runtime/logger';

const QUIET_MS = 10_000;

/**
 * Logs errors that come from connections in the background. Each of several sockets reports every try to come back, so
 * the same message is logged once in ten seconds.
 *
 * @returns a function that makes the error listener of one source.
 */
export function createOutageLog(logger: Logger): (source: string) => (error: Error) => void {
  const quietUntil = new Map<string, number>();
  return (source) => (error) => {
    const key = `${source} ${error.message}`;
    const now = Date.now();
    if ((quietUntil.get(key) ?? 0) > now) return;
    quietUntil.set(key, now + QUIET_MS);
    logger.warn('connection trouble', { source, error: describeError(error).error });
  };
}
