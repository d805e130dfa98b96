import type { Response } from 'express';
import type { ConcurrencyLimiter, SlotOwner } from './concurrency-limiter.ts';
import type { Slot } from './queues.ts';

/**
 * The slot of one request: the right to use one connection of the database. The request acquires it for its work, and can keep it
 * until its response is sent or its caller disconnects. Others may then work in its place, but no more than a few can keep theirs.
 */
export class RequestSlot {
  readonly #limiter: ConcurrencyLimiter;
  readonly #owner: SlotOwner;
  readonly #response: Response;
  /** Of the key and of the workspace. */
  #slots: Slot[] = [];
  #isWorking = false;
  #isKept = false;
  #staysBusy = false;

  constructor(limiter: ConcurrencyLimiter, owner: SlotOwner, response: Response) {
    this.#limiter = limiter;
    this.#owner = owner;
    this.#response = response;
  }

  /**
   * Runs what uses the database: one connection at a time, and one such work at a time. A request that does it in parts lets others of
   * its workspace pass between them.
   *
   * @throws CrowdedError
   */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(this.#owner, work);
  }

  /**
   * Runs a write when it is the turn of the request. The writes of a workspace come one at a time, and those that wait hold no database
   * connection. For the whole transaction, and nothing but the transaction.
   *
   * @throws CrowdedError
   */
  async write<T>(work: () => Promise<T>): Promise<T> {
    const { companyId } = this.#owner;
    const turn = await this.#limiter.acquireWrite(companyId, this.#response);
    // Not for the key: while a write waits behind its reads, the writes of others would wait for it.
    return this.#run({ companyId }, work).finally(turn.release);
  }

  /**
   * Keeps the slot until the response is sent or its caller disconnects. Called during `read`.
   *
   * @param staysBusy whether nobody may work in its place until then: for a response that takes much memory.
   */
  keepUntilSent(staysBusy: boolean): void {
    if (!this.#isKept) {
      this.#response.once('close', () => {
        if (!this.#isWorking) this.#release();
      });
    }
    this.#isKept = true;
    this.#staysBusy = staysBusy;
  }

  async #run<T>(owner: SlotOwner, work: () => Promise<T>): Promise<T> {
    this.#isWorking = true;
    try {
      if (this.#isKept) for (const slot of this.#slots) await slot.resume();
      else this.#slots = await this.#limiter.acquire(owner, this.#response);
      return await work();
    } catch (error) {
      this.#isKept = false;
      throw error;
    } finally {
      this.#isWorking = false;
      if (!this.#isKept || this.#response.closed) this.#release();
      else if (!this.#staysBusy) for (const slot of this.#slots) slot.rest();
    }
  }

  #release(): void {
    for (const slot of this.#slots) slot.release();
    this.#slots = [];
  }
}
