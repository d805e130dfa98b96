import type { Response } from 'express';
import { ApiError } from '../errors.ts';
import type { ConcurrencyLimit } from '../request-log.ts';

/** The limits of one kind of queue. */
export interface QueueLimits {
  /** What it stands for, in the log and the metrics. */
  limit: ConcurrencyLimit;
  /** How many requests may work at the same time. */
  maxWorking: number;
  /** How many may hold a slot: those that work, and those that rest. */
  maxSlots: number;
  maxWaiting: number;
  maxWaitMs: number;
}

const SENTENCES: Record<ConcurrencyLimit, string> = {
  credential: 'too many requests with these credentials wait to be checked; try again shortly',
  key: 'too many requests of this key are in progress at the same time; try again shortly',
  workspace: 'too many requests of this workspace are in progress at the same time; try again shortly',
  writes: 'too many changes to this workspace are waiting for each other; try again shortly',
};

/** A request got no slot: too many wait already, it has waited too long, or its caller has disconnected. */
export class CrowdedError extends ApiError {
  readonly limit: ConcurrencyLimit;

  constructor(limit: ConcurrencyLimit) {
    super('RATE_LIMITED', SENTENCES[limit], { headers: { 'Retry-After': '1' } });
    this.limit = limit;
  }
}

/** A slot in a queue. It works from the beginning. */
export interface Slot {
  /** Lets another request work, and keeps the slot. */
  rest: () => void;
  /** Works again, once that is possible. @throws CrowdedError */
  resume: () => Promise<void>;
  /** Gives the slot back. */
  release: () => void;
}

/** Requests that wait for a slot, or that have one and wait to work again. */
interface Waiting {
  isNew: boolean;
  letIn: () => void;
}

/** A queue of requests, of which a few are let through at the same time, in the order in which they came. */
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

  /** Ends the work of a request, and gives its slot back if it is done. */
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
      // It has what it needs at once, so nobody can come in between.
      const letIn = (): void => {
        end();
        this.#letIn(isNew);
        resolve();
      };
      const self = { isNew, letIn };
      // When this process itself was paused, its timers fire before the slots that have become free are noticed.
      const timer = setTimeout(() => setImmediate(giveUp), maxWaitMs);
      response?.once('close', giveUp);
      this.waiting.add(self);
    });
  }
}

/** Queues by name, independent of each other. One takes memory only while a request is in it. */
export class Queues {
  readonly #queues = new Map<string, Queue>();

  /** How many requests wait, over all queues. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /**
   * Acquires a slot.
   *
   * @param response if given, the request waits no longer once its caller has disconnected.
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
