import type { Response } from 'express';
import { ApiError } from '../errors.ts';
import { type QueueLimits, Queues, type Slot } from './queues.ts';

/** The limits of concurrent requests in this process. */
export interface ConcurrencyLimits {
  /** Requests of a workspace that use the database. Each uses one connection at most. */
  workspace: number;
  /** The part of them that one key may use, so that a busy key leaves room for the others of its workspace. */
  key: number;
  /** Requests of a workspace that use the database or send a response. They bound the memory that slow readers hold. */
  workspaceSlots: number;
  /** The part of them that one key may use. */
  keySlots: number;
  /** Maximum number of waiting requests in each queue. */
  waiting: number;
  /** Maximum number of waiting lookups of credentials that may be invalid. Such a request holds only its own memory. */
  waitingUnverified: number;
  /** Maximum time that a request waits. */
  maxWaitMs: number;
}

/** The workspace and the key that a request takes its slot for. */
export interface SlotOwner {
  companyId: number;
  /** Identifies the API key; absent for an admin. */
  keyDigest?: string;
}

/**
 * A fifth of the pool, which is 2 of the default 10. A larger share would leave enough connections to the others, but not enough
 * of the processor: 20 callers of one key then made the reads of others 6 times as slow, instead of 2 to 3 times (`SUITE=abuse
 * pnpm test`). At 5 ms a read, a key still reaches 40 times the 5 requests a second of its rate limit.
 */
const SHARE_OF_POOL = 1 / 5;
/** A key may use half of what its workspace may. */
const SHARE_OF_KEY = 1 / 2;
/** With pages of some MiB, 16 unread responses hold less than 100 MiB. */
const WORKSPACE_SLOTS = 16;
/** The same as the maximum wait for a connection of the pool. */
export const MAX_WAIT_MS = 5_000;

/** The time between two refusals of one caller. */
const REFUSAL_INTERVAL_MS = 10;
const REFUSALS = new Set([401, 403, 429]);
/** All callers with unverified credentials count as one caller, because they can invent a credential for each request. */
const UNVERIFIED = 'unverified';

/** Returns the default number of requests of one workspace that may use the database at the same time. */
export function shareOfPool(poolSize: number): number {
  return Math.max(1, Math.floor(poolSize * SHARE_OF_POOL));
}

/** Derives the other limits from the number of requests of one workspace that may use the database. */
export function concurrencyLimits(workspace: number): ConcurrencyLimits {
  const workspaceSlots = Math.max(WORKSPACE_SLOTS, workspace);
  const shareOfKey = (slots: number) => Math.max(1, Math.floor(slots * SHARE_OF_KEY));
  return {
    workspace,
    key: shareOfKey(workspace),
    workspaceSlots,
    keySlots: shareOfKey(workspaceSlots),
    waiting: 100,
    waitingUnverified: 1_000,
    maxWaitMs: MAX_WAIT_MS,
  };
}

/**
 * Shares this process fairly among its callers, with three kinds of queues: requests, writes, and lookups of unverified
 * credentials.
 */
export class ConcurrencyLimiter {
  readonly #queues = new Queues();
  readonly #key: QueueLimits;
  readonly #workspace: QueueLimits;
  readonly #writes: QueueLimits;
  readonly #unverified: QueueLimits;
  readonly #refusals: QueueLimits;

  constructor({
    workspace,
    key,
    workspaceSlots,
    keySlots,
    waiting,
    waitingUnverified,
    maxWaitMs,
  }: ConcurrencyLimits) {
    const one = { maxActive: 1, maxSlots: 1, maxWaiting: waiting, maxWaitMs };
    this.#key = { ...one, limit: 'key', maxActive: key, maxSlots: keySlots };
    this.#workspace = { ...one, limit: 'workspace', maxActive: workspace, maxSlots: workspaceSlots };
    this.#writes = { ...one, limit: 'writes' };
    const lookups = { maxActive: workspace, maxSlots: workspace, maxWaiting: waitingUnverified };
    this.#unverified = { ...one, limit: 'credential', ...lookups };
    this.#refusals = { ...one, limit: 'credential', maxWaiting: Infinity };
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#queues.waiting;
  }

  /**
   * Acquires the slots of a request, first that of its key, then that of its workspace. So the waiting requests of a busy key do
   * not block other requests of the workspace.
   *
   * @throws ConcurrencyLimitError
   */
  async acquire({ companyId, keyDigest }: SlotOwner, response: Response): Promise<Slot[]> {
    const ofKey =
      keyDigest === undefined ? [] : [await this.#queues.acquire(`key ${keyDigest}`, this.#key, response)];
    try {
      return [...ofKey, await this.#queues.acquire(`workspace ${companyId}`, this.#workspace, response)];
    } catch (error) {
      for (const slot of ofKey) slot.release();
      throw error;
    }
  }

  /** Acquires the slot for a write. Each workspace has one, so its writes run one at a time. @throws ConcurrencyLimitError */
  acquireWrite(companyId: number, response: Response): Promise<Slot> {
    return this.#queues.acquire(`writes ${companyId}`, this.#writes, response);
  }

  /**
   * Runs the lookup of a credential that may be invalid. All such lookups share a few connections.
   *
   * @throws ConcurrencyLimitError
   */
  async lookUpUnverified<T>(lookUp: () => Promise<T>): Promise<T> {
    // Other requests share the same lookup, so it does not end when a caller disconnects.
    const { release } = await this.#queues.acquire(UNVERIFIED, this.#unverified);
    return lookUp().finally(release);
  }

  /**
   * Delays a refusal if other refusals of the same caller were sent just before. A refusal takes a millisecond or two of CPU
   * time, so a flood takes a fifth of the processor at most. The first refusal after a pause is not delayed. Returns immediately
   * for other errors.
   *
   * @param digest identifies the credential of the request; null if it was not verified.
   */
  async delayRefusal(thrown: unknown, digest: string | null, response: Response): Promise<void> {
    if (!(thrown instanceof ApiError) || !REFUSALS.has(thrown.status)) return;
    const name = `refusals ${digest ?? UNVERIFIED}`;
    const slot = await this.#queues.acquire(name, this.#refusals, response).catch(() => null);
    if (slot !== null) setTimeout(slot.release, REFUSAL_INTERVAL_MS);
  }
}
