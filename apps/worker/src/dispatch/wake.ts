import { listen } from '@deal-signals/db/listener';
import { WAKE_CHANNEL, WAKE_LOCK } from '@deal-signals/deliveries/claims/wake';
import { setTimeout as sleep } from 'node:timers/promises';

/** What wakes a dispatcher, and what it does then. */
export interface WakeOptions {
  databaseUrl: string;
  /** Dispatches what is ready. Returns whether there may be more, because the batch or the queue is full. */
  dispatch: () => Promise<boolean>;
  /** Called when the connection that listens fails. */
  onConnectionError: (error: Error) => void;
  /** Called when a dispatch fails. */
  onDispatchError: (error: Error) => void;
}

/** A dispatcher that is woken by commits. */
export interface WokenDispatcher {
  /** Stops listening and waits for the dispatch that is under way. */
  stop(): Promise<void>;
}

/**
 * Commits that come within the pause after a dispatch are dispatched together. It is as long as the dispatch took, within these
 * bounds: on a busy machine, fewer dispatches claim more each, which costs less. A dispatch that waited for something else, such
 * as a lock, must not keep the next one waiting.
 */
const MIN_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 30;
/** How soon a full queue is looked at again. */
const FULL_PAUSE_MS = 20;
/** A dispatch that fails is left to the tick, and so is what is committed meanwhile. */
const FAILED_PAUSE_MS = 1_000;

/**
 * Dispatches as soon as a transaction has committed a ready delivery, in addition to the ticks. One dispatch runs at a time;
 * what is committed meanwhile is dispatched with the next. A notification that is lost costs the wait for the next tick.
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
        pauseMs = Math.min(Math.max(MIN_PAUSE_MS, tookMs), LONGEST_PAUSE_MS);
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
