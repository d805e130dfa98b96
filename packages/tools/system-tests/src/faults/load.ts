import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@deal-signals/db/database';
import { captureEvents } from '@deal-signals/test-kit/worlds/captured';

/** A product that captures events continuously, through every failure of the servers. */
export interface Load {
  /** Waits for the confirmation of the last capture. Returns the number of captured events. */
  stop(): Promise<number>;
}

const EVENTS_AT_ONCE = 5;
const PAUSE_MS = 50;
const RETRY_MS = 100;

/**
 * Captures engagement events until it is stopped, each exactly once. A capture that was not confirmed, because the database
 * was down, is repeated with the same key.
 */
export function startLoad(db: Database): Load {
  let count = 0;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const keys = Array.from({ length: EVENTS_AT_ONCE }, (_, n) => `load-${count + n}`);
      await captureEvents(db, keys).then(
        () => (count += keys.length),
        () => sleep(RETRY_MS),
      );
      await sleep(PAUSE_MS);
    }
  }

  const done = run();
  return {
    async stop() {
      stopping.abort();
      await done;
      return count;
    },
  };
}
