import { describeError, type Logger } from './logger.ts';

/** Logs the outages of one server. */
export interface OutageLog {
  /** A connection or a command has failed. `source` says which, for the log. */
  failed(source: string, error: unknown): void;
  /** Stops looking whether the server is back. */
  stop(): void;
}

/** How often an outage that lasts is logged, and how often to look whether it is over. */
export interface OutageTiming {
  repeatMs: number;
  lookMs: number;
}

const PACE: OutageTiming = { repeatMs: 60_000, lookMs: 5_000 };

interface Outage {
  sinceMs: number;
  saidAtMs: number;
  errors: number;
  timer: NodeJS.Timeout;
}

/**
 * Logs an outage with one line when it begins, one a minute with the number of errors while it lasts, and one when it is
 * over. Each of many connections and requests reports what failed, which would be thousands of lines.
 *
 * @param server what the lines call the server.
 * @param look rejects while the server is unavailable. It is called while an outage lasts.
 */
export function createOutageLog(
  logger: Logger,
  server: string,
  look: () => Promise<unknown>,
  { repeatMs, lookMs }: OutageTiming = PACE,
): OutageLog {
  let outage: Outage | undefined;
  let isLooking = false;

  async function lookAgain(): Promise<void> {
    if (isLooking || outage === undefined) return;
    isLooking = true;
    const { errors } = outage;
    try {
      await look();
      // What failed meanwhile may have failed after the look.
      if (outage?.errors === errors) end(outage);
    } catch {
      // It lasts. What the look has found is what the other errors say.
    } finally {
      isLooking = false;
    }
  }

  function end({ timer, sinceMs, errors }: Outage): void {
    clearInterval(timer);
    outage = undefined;
    logger.info('connection restored', { server, errors, durationMs: since(sinceMs) });
  }

  const since = (ms: number): number => Math.round(performance.now() - ms);

  return {
    failed(source, thrown) {
      const { error } = describeError(thrown);
      if (outage === undefined) {
        logger.warn('connection trouble', { server, source, error });
        const nowMs = performance.now();
        const timer = setInterval(() => void lookAgain(), lookMs).unref();
        outage = { sinceMs: nowMs, saidAtMs: nowMs, errors: 1, timer };
        return;
      }
      outage.errors += 1;
      if (since(outage.saidAtMs) < repeatMs) return;
      outage.saidAtMs = performance.now();
      const { errors, sinceMs } = outage;
      logger.warn('connection trouble', { server, source, error, errors, durationMs: since(sinceMs) });
    },
    stop() {
      clearInterval(outage?.timer);
      outage = undefined;
    },
  };
}
