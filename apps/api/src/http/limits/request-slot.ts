import type { Response } from 'express';
import type { ConcurrencyLimiter, SlotOwner } from './concurrency-limiter.ts';
import type { Slot } from './queues.ts';

/**
 * The slot of one request: the right to use one database connection. The request acquires it for its work, and can keep it until
 * its response is sent or its caller disconnects. Other requests may then use the database, but only a few can keep their slots.
 */
export class RequestSlot {
  readonly #limiter: ConcurrencyLimiter;
  readonly #owner: SlotOwner;
  readonly #response: Response;
  /** The slots of the key and of the workspace. */
  #slots: Slot[] = [];
  #isRunning = false;
  #isKept = false;
  #staysActive = false;

  constructor(limiter: ConcurrencyLimiter, owner: SlotOwner, response: Response) {
    this.#limiter = limiter;
    this.#owner = owner;
    this.#response = response;
  }

  /**
   * Runs work that uses the database: one connection and one such task at a time. A request that splits its work lets other
   * requests of its workspace run in between.
   *
   * @throws ConcurrencyLimitError
   */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(this.#owner, work);
  }

  /**
   * Runs a write in its turn. The writes of a workspace run one at a time, and waiting ones hold no database connection. Pass
   * exactly one whole transaction.
   *
   * @throws ConcurrencyLimitError
   */
  async write<T>(work: () => Promise<T>): Promise<T> {
    const { companyId } = this.#owner;
    const turn = await this.#limiter.acquireWrite(companyId, this.#response);
    // Without the slot of the key: a write that waits behind the reads of its key would delay the writes of others.
    return this.#run({ companyId }, work).finally(turn.release);
  }

  /**
   * Keeps the slot until the response is sent or its caller disconnects. Called during `read`.
   *
   * @param staysActive whether the slot stays active until then, for a response that takes much memory.
   */
  keepUntilSent({ staysActive }: { staysActive: boolean }): void {
    if (!this.#isKept) {
      this.#response.once('close', () => {
        if (!this.#isRunning) this.#release();
      });
    }
    this.#isKept = true;
    this.#staysActive = staysActive;
  }

  async #run<T>(owner: SlotOwner, work: () => Promise<T>): Promise<T> {
    this.#isRunning = true;
    try {
      if (this.#isKept) for (const slot of this.#slots) await slot.activate();
      else this.#slots = await this.#limiter.acquire(owner, this.#response);
      return await work();
    } catch (error) {
      this.#isKept = false;
      throw error;
    } finally {
      this.#isRunning = false;
      if (!this.#isKept || this.#response.closed) this.#release();
      else if (!this.#staysActive) for (const slot of this.#slots) slot.deactivate();
    }
  }

  #release(): void {
    for (const slot of this.#slots) slot.release();
    this.#slots = [];
  }
}
