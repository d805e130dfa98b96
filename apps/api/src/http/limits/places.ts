import type { Response } from 'express';
import { Concurrency, CrowdedError } from './concurrency.ts';
import { ApiError } from '../errors.ts';
import { note, type PlaceLimit } from '../request-log.ts';

/** How many requests of one caller this process handles at the same time. */
export interface PlaceLimits {
  /** Requests with the same credential whose checks may run at the same time. */
  checks: number;
  /** How many requests may wait for their checks. */
  waitingForChecks: number;
  /** Requests of a workspace that may use the database. Each uses one connection at most. */
  workspace: number;
  /** Those of them that may be of one key, so that a busy key leaves room for the others of its workspace. */
  key: number;
  /** Requests of a workspace whose response is being made or sent. They bound the memory that slow readers hold. */
  workspaceResponses: number;
  /** Those of them that may be of one key. */
  keyResponses: number;
  /** Responses of a workspace with more than `LARGE_RESPONSE_BYTES` that may be sent at the same time. */
  workspaceLargeResponses: number;
  /** Those of them that may be of one key. */
  keyLargeResponses: number;
  /** How many requests may wait in each line. */
  waiting: number;
  /** How long a request waits. */
  maxWaitMs: number;
}

/** The caller of a request. */
export interface Caller {
  companyId: number;
  /** Identifies the API key; absent for an admin. */
  keyHash?: string;
}

/**
 * A fifth of the pool, which is 2 of the default 10. More would leave enough connections to the others, but not enough of the
 * processor: 20 callers of one key then made the reads of others 6 times as long, and now 2 to 3 times (`pnpm test:abuse`).
 * At 5 ms a read, a key still reaches 40 times the 5 requests a second of its rate limit.
 */
const SHARE_OF_POOL = 1 / 5;
/** A key may use half of what its workspace may. */
const SHARE_OF_KEY = 1 / 2;
/** With pages of some MiB, 16 responses that nobody reads hold less than 100 MiB. */
const WORKSPACE_RESPONSES = 16;
/** More than a page has, so that only objects that grow with their workspace are large. */
export const LARGE_RESPONSE_BYTES = 5 * 1_024 * 1_024;
/** The metrics of a room with 100,000 people have 40 MiB, so these and two more that are being made hold 240 MiB. */
const WORKSPACE_LARGE_RESPONSES = 4;
const MOST_WAITING = 100;
/** Requests that arrive during a look-up share the next one; with fewer, hardly any do. A bystander notices no difference to two. */
const CHECKS = 8;
/** A request that waits for its checks holds nothing but its own memory. */
const MOST_WAITING_FOR_CHECKS = 1_000;
/** As long as a statement waits for a connection of the pool. */
export const MAX_WAIT_MS = 5_000;
const RETRY_AFTER_SECONDS = '1';

/** The time between two refusals of one caller. */
const REFUSAL_INTERVAL_MS = 10;
const REFUSALS = new Set([401, 403, 429]);
/** All callers whose credentials are invalid are one caller, because such a credential can be made up for each request. */
const UNKNOWN_CALLER = '';

const SENTENCES: Record<PlaceLimit, string> = {
  credential: 'too many requests with these credentials wait to be checked; try again shortly',
  key: 'too many requests of this key are in progress at the same time; try again shortly',
  workspace: 'too many requests of this workspace are in progress at the same time; try again shortly',
  writes: 'too many changes to this workspace are waiting for each other; try again shortly',
};

/** How many requests of one workspace may use the database at the same time, unless the operator says otherwise. */
export function shareOfPool(poolSize: number): number {
  return Math.max(1, Math.floor(poolSize * SHARE_OF_POOL));
}

/** The limits that follow from the number of requests of one workspace that may use the database. */
export function placeLimits(workspace: number): PlaceLimits {
  const workspaceResponses = Math.max(WORKSPACE_RESPONSES, workspace);
  return {
    checks: CHECKS,
    waitingForChecks: MOST_WAITING_FOR_CHECKS,
    workspace,
    key: shareOfKey(workspace),
    workspaceResponses,
    keyResponses: shareOfKey(workspaceResponses),
    workspaceLargeResponses: WORKSPACE_LARGE_RESPONSES,
    keyLargeResponses: shareOfKey(WORKSPACE_LARGE_RESPONSES),
    waiting: MOST_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  };
}

function shareOfKey(places: number): number {
  return Math.max(1, Math.floor(places * SHARE_OF_KEY));
}

/**
 * Shares this process between its callers. A request waits in up to six lines, the narrower one first, so requests of a busy key
 * do not wait in front of the others of its workspace.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #concurrency = new Concurrency();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#concurrency.waiting;
  }

  /**
   * Runs the checks that decide whether a request is handled. Few of a credential run at the same time, so a flood that is
   * refused leaves the event loop to others.
   *
   * @throws ApiError RATE_LIMITED if too many requests wait already, or the wait takes too long.
   */
  async check<T>(credential: string, response: Response, checks: () => Promise<T>): Promise<T> {
    const { checks: atOnce, waitingForChecks } = this.#limits;
    const leave = await this.#enter('credential', `check ${credential}`, atOnce, response, waitingForChecks);
    return checks().finally(leave);
  }

  /**
   * Runs the look-up of a credential that is not known to be valid. All of these share a few connections.
   *
   * @throws ApiError RATE_LIMITED as `check` does.
   */
  async holdUnknown<T>(response: Response, lookUp: () => Promise<T>): Promise<T> {
    const { workspace, waitingForChecks, maxWaitMs } = this.#limits;
    const line = { name: 'unknown', atOnce: workspace, mostWaiting: waitingForChecks, maxWaitMs };
    // Others wait for the same look-up, so it does not end when this caller disconnects.
    const leave = await this.#concurrency.enter(line).catch((error: unknown) => {
      throw error instanceof CrowdedError ? crowded('credential', response) : error;
    });
    return lookUp().finally(leave);
  }

  /**
   * Takes a place for the response, which the request keeps until it is sent.
   *
   * @throws ApiError RATE_LIMITED as `check` does.
   */
  occupy(caller: Caller, response: Response): Promise<void> {
    const { keyResponses, workspaceResponses } = this.#limits;
    return this.#takeUntilSent('responses', caller, response, keyResponses, workspaceResponses);
  }

  /**
   * Takes a place for a large response, which the request keeps until it is sent; none for other responses. Called while the request
   * still holds its place for the database, so that no further large response is made in the meantime.
   *
   * @throws ApiError RATE_LIMITED as `check` does.
   */
  async occupyIfLarge(caller: Caller, response: Response, bytes: number): Promise<void> {
    if (bytes <= LARGE_RESPONSE_BYTES) return;
    const { keyLargeResponses, workspaceLargeResponses } = this.#limits;
    await this.#takeUntilSent(
      'large responses',
      caller,
      response,
      keyLargeResponses,
      workspaceLargeResponses,
    );
  }

  async #takeUntilSent(
    what: string,
    { companyId, keyHash }: Caller,
    response: Response,
    ofKey: number,
    ofWorkspace: number,
  ): Promise<void> {
    const take = async (limit: PlaceLimit, name: string, atOnce: number) => {
      const leave = await this.#enter(limit, name, atOnce, response);
      if (response.closed) leave();
      else response.once('close', leave);
    };
    if (keyHash !== undefined) await take('key', `${what} of key ${keyHash}`, ofKey);
    await take('workspace', `${what} of ${companyId}`, ofWorkspace);
  }

  /**
   * Runs what a request does with the database, once there is a place for it. Nothing is taken from the pool before.
   *
   * @throws ApiError RATE_LIMITED as `check` does.
   */
  async hold<T>({ companyId, keyHash }: Caller, response: Response, work: () => Promise<T>): Promise<T> {
    const ofKey =
      keyHash !== undefined && (await this.#enter('key', `key ${keyHash}`, this.#limits.key, response));
    try {
      const leave = await this.#enter('workspace', `${companyId}`, this.#limits.workspace, response);
      return await work().finally(leave);
    } finally {
      if (ofKey) ofKey();
    }
  }

  /** Like `hold`, and the writes of a workspace come one at a time. */
  async holdToWrite<T>(caller: Caller, response: Response, write: () => Promise<T>): Promise<T> {
    const leave = await this.#enter('writes', `writes of ${caller.companyId}`, 1, response);
    return this.hold(caller, response, write).finally(leave);
  }

  /**
   * Waits before a refusal is sent if other refusals of the same caller were sent just before: a refusal costs the processor a
   * millisecond or two, so a flood takes a fifth of it at most. The first one after a pause is sent at once. Returns at once for
   * other errors, and when the wait takes too long or the caller has disconnected. The caller has left all other lines: the
   * owner of a stolen key must not wait behind the refusals of the thief. Nor does an admin whose session has expired wait behind
   * strangers, who cannot make up such a token. As many may wait as there are connections.
   *
   * @param credential the `Authorization` header of the request.
   */
  async paceRefusal(thrown: unknown, credential: string, response: Response): Promise<void> {
    if (!(thrown instanceof ApiError) || !REFUSALS.has(thrown.status)) return;
    const isUnknown = thrown.status === 401 && !thrown.isCallerKnown;
    const name = `refusals of ${isUnknown ? UNKNOWN_CALLER : credential}`;
    const line = { name, atOnce: 1, mostWaiting: Infinity, maxWaitMs: this.#limits.maxWaitMs };
    const leave = await this.#concurrency.enter(line, response).catch(() => null);
    if (leave !== null) setTimeout(leave, REFUSAL_INTERVAL_MS);
  }

  async #enter(
    limit: PlaceLimit,
    name: string,
    atOnce: number,
    response: Response,
    mostWaiting = this.#limits.waiting,
  ): Promise<() => void> {
    const line = { name, atOnce, mostWaiting, maxWaitMs: this.#limits.maxWaitMs };
    try {
      return await this.#concurrency.enter(line, response);
    } catch (error) {
      throw error instanceof CrowdedError ? crowded(limit, response) : error;
    }
  }
}

function crowded(limit: PlaceLimit, response: Response): ApiError {
  note(response, { limit });
  return new ApiError('RATE_LIMITED', SENTENCES[limit], { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
