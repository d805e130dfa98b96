import { describeError, type Logger } from './logger.ts';

/** Logs the outages of one server. */
export interface OutageLog {
  /** Reports that a connection or a command has failed. `source` says which one, for the log. */
  failed(source: string, error: unknown): void;
  /** Stops probing the server. */
  stop(): void;
}

/** How often an ongoing outage is logged, and how often the server is probed. */
export interface OutageTiming {
  repeatMs: number;
  probeMs: number;
}

const DEFAULT_TIMING: OutageTiming = { repeatMs: 60_000, probeMs: 5_000 };

interface Outage {
  sinceMs: number;
  loggedAtMs: number;
  errors: number;
  timer: NodeJS.Timeout;
}

/**
 * Creates a log of outages. An outage is one line when it begins, one line a minute with the number of errors while it lasts, and
 * one line when it ends. Without it, each of many connections and requests would log every failure, in thousands of lines.
 *
 * @param server the name of the server in the log.
 * @param probe rejects while the server is unavailable. It is called during an outage.
 */
export function createOutageLog(
  logger: Logger,
  server: string,
  probe: () => Promise<unknown>,
  { repeatMs, probeMs }: OutageTiming = DEFAULT_TIMING,
): OutageLog {
  let outage: Outage | undefined;
  let isProbing = false;

  async function probeAgain(): Promise<void> {
    if (isProbing || outage === undefined) return;
    isProbing = true;
    const { errors } = outage;
    try {
      await probe();
      // An error during the probe may be newer than its answer.
      if (outage?.errors === errors) end(outage);
    } catch {
      // The outage lasts. The probe's error adds nothing to those already logged.
    } finally {
      isProbing = false;
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
        const timer = setInterval(() => void probeAgain(), probeMs).unref();
        outage = { sinceMs: nowMs, loggedAtMs: nowMs, errors: 1, timer };
        return;
      }
      outage.errors += 1;
      if (since(outage.loggedAtMs) < repeatMs) return;
      outage.loggedAtMs = performance.now();
      const { errors, sinceMs } = outage;
      logger.warn('connection trouble', { server, source, error, errors, durationMs: since(sinceMs) });
    },
    stop() {
      clearInterval(outage?.timer);
      outage = undefined;
    },
  };
}
