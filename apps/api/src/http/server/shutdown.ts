import { setTimeout as sleep } from 'node:timers/promises';

/** The shutdown of a process, in two steps. */
export interface Shutdown {
  /** Aborted when the process is told to stop. It then reports that it is not ready, and still serves requests. */
  readonly stopping: AbortSignal;
  /** Aborted when its ports close. */
  readonly closing: AbortSignal;
  /**
   * Waits until load balancers have noticed that the process is not ready, then aborts `closing`. Without this wait, they would
   * send requests to a closed port.
   */
  close(delayMs: number): Promise<void>;
}

/** Exit codes of a process that a signal ends, by the convention of shells and supervisors. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

/**
 * Starts the shutdown at the first SIGTERM or SIGINT. A second signal of the same name ends the process immediately. This needs
 * code, because the kernel ignores a signal without a handler if the process is the first of a container.
 */
export function shutdownOnSignals(): Shutdown {
  const stopping = new AbortController();
  const closing = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stopping.abort();
      process.on(signal, () => process.exit(EXIT_CODES[signal]));
    });
  }
  return {
    stopping: stopping.signal,
    closing: closing.signal,
    async close(delayMs) {
      await sleep(delayMs);
      closing.abort();
    },
  };
}
