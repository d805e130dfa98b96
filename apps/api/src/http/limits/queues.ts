import type { Response } from 'express';
import { ApiError } from '../errors.ts';
import type { ConcurrencyLimit } from '../request-log.ts';

// A request holds a slot from its first query until its response is sent. Only an active slot may use the database; an idle one
// only holds the memory of a response that its caller is still reading. So there are more slots than active ones.

/** The limits of one kind of queue. */
export interface QueueLimits {
  /** The name of the limit in the log and the metrics. */
  limit: ConcurrencyLimit;
  /** Maximum number of active slots. */
  maxActive: number;
  /** Maximum number of slots, active or idle. */
  maxSlots: number;
  maxWaiting: number;
  maxWaitMs: number;
}

const SENTENCES: Record<ConcurrencyLimit, string> = {
  credential: 'too many requests with these credentials are waiting for verification; try again shortly',
  key: 'too many requests of this key are in progress at the same time; try again shortly',
  workspace: 'too many requests of this workspace are in progress at the same time; try again shortly',
  writes: 'too many changes to this workspace are waiting for each other; try again shortly',
};

/** No slot was available: too many requests wait, this one has waited too long, or its caller has disconnected. */
export class ConcurrencyLimitError extends ApiError {
  readonly limit: ConcurrencyLimit;

  constructor(limit: ConcurrencyLimit) {
    super('RATE_LIMITED', SENTENCES[limit], { headers: { 'Retry-After': '1' } });
    this.limit = limit;
  }
}

/** A slot in a queue. It is active at first. */
export interface Slot {
  /** Makes the slot idle, so that another one can be active. */
  deactivate: () => void;
  /** Waits until the slot can be active again. @throws ConcurrencyLimitError */
  activate: () => Promise<void>;
  /** Releases the slot. */
  release: () => void;
}

/** A request that waits for a slot, or for its idle slot to be active again. */
interface Waiting {
  isNew: boolean;
  grant: () => void;
}

/** A first-in, first-out queue for a limited number of slots. */
class Queue {
  readonly waiting = new Set<Waiting>();
  slots = 0;
  #active = 0;
  readonly #limits: QueueLimits;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  acquire(response: Response | undefined): Promise<void> {
    return this.#enter(true, response);
  }

  activate(response: Response | undefined): Promise<void> {
    return this.#enter(false, response);
  }

  deactivate(): void {
    this.#active -= 1;
    this.#grantWaiting();
  }

  release(isActive: boolean): void {
    if (isActive) this.#active -= 1;
    this.slots -= 1;
    this.#grantWaiting();
  }

  async #enter(isNew: boolean, response: Response | undefined): Promise<void> {
    const { limit, maxWaiting } = this.#limits;
    if (this.#fits(isNew)) this.#grant(isNew);
    else if (this.waiting.size >= maxWaiting) throw new ConcurrencyLimitError(limit);
    else await this.#wait(isNew, response);
  }

  #fits(isNew: boolean): boolean {
    const { maxActive, maxSlots } = this.#limits;
    return this.#active < maxActive && (!isNew || this.slots < maxSlots);
  }

  #grant(isNew: boolean): void {
    this.#active += 1;
    if (isNew) this.slots += 1;
  }

  #grantWaiting(): void {
    for (const { isNew, grant } of this.waiting) if (this.#fits(isNew)) grant();
  }

  #wait(isNew: boolean, response: Response | undefined): Promise<void> {
    const { limit, maxWaitMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        response?.off('close', giveUp);
        this.waiting.delete(self);
      };
      const giveUp = (): void => {
        if (!this.waiting.has(self)) return;
        end();
        reject(new ConcurrencyLimitError(limit));
      };
      // The request takes its capacity synchronously, so no other can take it in between.
      const grant = (): void => {
        end();
        this.#grant(isNew);
        resolve();
      };
      const self = { isNew, grant };
      // After a pause of this process, its timers fire before it notices the slots that were released.
      const timer = setTimeout(() => setImmediate(giveUp), maxWaitMs);
      response?.once('close', giveUp);
      this.waiting.add(self);
    });
  }
}

/** Independent queues by name. A queue uses memory only while a request is in it. */
export class Queues {
  readonly #queues = new Map<string, Queue>();

  /** The number of waiting requests in all queues. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /**
   * Acquires a slot.
   *
   * @param response if given, the request stops waiting when its caller disconnects.
   * @throws ConcurrencyLimitError
   */
  async acquire(name: string, limits: QueueLimits, response?: Response): Promise<Slot> {
    if (response?.closed === true) throw new ConcurrencyLimitError(limits.limit);
    const queue = this.#queues.get(name) ?? new Queue(limits);
    this.#queues.set(name, queue);
    await queue.acquire(response);
    let state: 'active' | 'idle' | 'released' = 'active';
    return {
      deactivate() {
        if (state !== 'active') return;
        state = 'idle';
        queue.deactivate();
      },
      async activate() {
        if (state === 'active') return;
        await queue.activate(response);
        if (state === 'released') {
          queue.deactivate();
          throw new ConcurrencyLimitError(limits.limit);
        }
        state = 'active';
      },
      release: () => {
        if (state === 'released') return;
        queue.release(state === 'active');
        state = 'released';
        if (queue.slots === 0) this.#queues.delete(name);
      },
    };
  }
}
