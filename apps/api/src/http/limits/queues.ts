import type { Response } from 'express';
import { ApiError } from '../errors.ts';
import type { ConcurrencyLimit } from '../request-log.ts';

/** The limits of one kind of queue. */
export interface QueueLimits {
  /** The name of the limit in the log and the metrics. */
  limit: ConcurrencyLimit;
  /** Maximum number of requests that work at the same time. */
  maxWorking: number;
  /** Maximum number of requests that hold a slot, whether they work or rest. */
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
export class CrowdedError extends ApiError {
  readonly limit: ConcurrencyLimit;

  constructor(limit: ConcurrencyLimit) {
    super('RATE_LIMITED', SENTENCES[limit], { headers: { 'Retry-After': '1' } });
    this.limit = limit;
  }
}

/** A slot in a queue. It starts in the working state. */
export interface Slot {
  /** Lets another request work. The slot is kept. */
  rest: () => void;
  /** Returns to the working state as soon as possible. @throws CrowdedError */
  resume: () => Promise<void>;
  /** Releases the slot. */
  release: () => void;
}

/** Requests that wait for a slot, or that hold one and wait to work again. */
interface Waiting {
  isNew: boolean;
  letIn: () => void;
}

/** A first-in, first-out queue that admits a limited number of requests at a time. */
class Queue {
  readonly waiting = new Set<Waiting>();
  slots = 0;
  #working = 0;
  readonly #limits: QueueLimits;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  async enter(isNew: boolean, response: Response | undefined): Promise<void> {
    const { limit, maxWaiting } = this.#limits;
    if (this.#fits(isNew)) this.#letIn(isNew);
    else if (this.waiting.size >= maxWaiting) throw new CrowdedError(limit);
    else await this.#wait(isNew, response);
  }

  /** Ends the work of a request, and releases its slot if it is done. */
  leave(isWorking: boolean, isDone: boolean): void {
    if (isWorking) this.#working -= 1;
    if (isDone) this.slots -= 1;
    for (const { isNew, letIn } of this.waiting) if (this.#fits(isNew)) letIn();
  }

  #fits(isNew: boolean): boolean {
    const { maxWorking, maxSlots } = this.#limits;
    return this.#working < maxWorking && (!isNew || this.slots < maxSlots);
  }

  #letIn(isNew: boolean): void {
    this.#working += 1;
    if (isNew) this.slots += 1;
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
        reject(new CrowdedError(limit));
      };
      // The request takes its capacity synchronously, so no other can take it in between.
      const letIn = (): void => {
        end();
        this.#letIn(isNew);
        resolve();
      };
      const self = { isNew, letIn };
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
   * @throws CrowdedError
   */
  async acquire(name: string, limits: QueueLimits, response?: Response): Promise<Slot> {
    if (response?.closed === true) throw new CrowdedError(limits.limit);
    const queue = this.#queues.get(name) ?? new Queue(limits);
    this.#queues.set(name, queue);
    await queue.enter(true, response);
    let state: 'working' | 'resting' | 'released' = 'working';
    return {
      rest() {
        if (state !== 'working') return;
        state = 'resting';
        queue.leave(true, false);
      },
      async resume() {
        if (state === 'working') return;
        await queue.enter(false, response);
        if (state === 'released') {
          queue.leave(true, false);
          throw new CrowdedError(limits.limit);
        }
        state = 'working';
      },
      release: () => {
        if (state === 'released') return;
        queue.leave(state === 'working', true);
        state = 'released';
        if (queue.slots === 0) this.#queues.delete(name);
      },
    };
  }
}
