import { listen } from '@deal-signals/db/listener';
import { WAKE_CHANNEL, WAKE_LOCK } from '@deal-signals/deliveries/claims/wake';
import { setTimeout as sleep } from 'node:timers/promises';

/** The options of a woken dispatcher. */
export interface WakeOptions {
  databaseUrl: string;
  /** Dispatches ready deliveries. Returns whether there may be more, because the batch or the queue is full. */
  dispatch: () => Promise<boolean>;
  /** Called when the listening connection fails. */
  onConnectionError: (error: Error) => void;
  /** Called when a dispatch fails. */
  onDispatchError: (error: Error) => void;
}

/** A dispatcher that commits wake. */
export interface WokenDispatcher {
  /** Stops listening and waits for a running dispatch. */
  stop(): Promise<void>;
}

/**
 * The bounds of the pause after a dispatch, which otherwise is as long as the dispatch took. Commits within the pause are
 * dispatched together: on a busy machine, fewer and larger dispatches cost less. The upper bound matters when a dispatch waited
 * for something else, such as a lock.
 */
const MIN_PAUSE_MS = 4;
const MAX_PAUSE_MS = 30;
/** The pause before a full queue is read again. */
const FULL_PAUSE_MS = 20;
/** The pause after a failed dispatch. The next tick dispatches what it missed. */
const FAILED_PAUSE_MS = 1_000;

/**
 * Dispatches as soon as a transaction has committed a ready delivery, in addition to the ticks. One dispatch runs at a time;
 * deliveries that are committed during it are dispatched with the next one. If a notification is lost, its deliveries wait for
 * the next tick.
 */
export function dispatchWhenWoken(options: WakeOptions): WokenDispatcher {
  let isWoken = false;
  let isStopped = false;
  let running: Promise<void> | undefined;

  async function dispatchAll(): Promise<void> {
    while (isWoken) {
      isWoken = false;
      const startedMs = performance.now();
      let pauseMs: number;
      try {
        const isFull = await options.dispatch();
        const tookMs = performance.now() - startedMs;
        pauseMs = Math.min(Math.max(MIN_PAUSE_MS, tookMs), MAX_PAUSE_MS);
        if (isFull) {
          isWoken = !isStopped;
          pauseMs = FULL_PAUSE_MS;
        }
      } catch (error) {
        options.onDispatchError(error as Error);
        pauseMs = FAILED_PAUSE_MS;
      }
      await sleep(pauseMs);
    }
    running = undefined;
  }

  function wake(): void {
    if (isStopped) return;
    isWoken = true;
    running ??= dispatchAll();
  }

  const listener = listen({
    url: options.databaseUrl,
    applicationName: 'deal-signals-wake',
    channel: WAKE_CHANNEL,
    prepare: [`SELECT pg_advisory_lock_shared(${WAKE_LOCK})`],
    onNotification: wake,
    onError: options.onConnectionError,
  });
  return {
    async stop() {
      isStopped = true;
      isWoken = false;
      await listener.close();
      await running;
    },
  };
}
