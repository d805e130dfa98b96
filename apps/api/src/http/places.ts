import { createTurns, NoTurnError, type Turns } from '@deal-signals/runtime/turns';
import type { Response } from 'express';
import { ApiError } from './errors.ts';
import { createRefusalPace } from './refusal-pace.ts';
import { note } from './request-log.ts';

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
  /** How many requests may wait in each line. */
  waiting: number;
  /** How long a request waits. */
  maxWaitMs: number;
}

/** Which limit a request has met. */
export type PlaceLimit = 'credential' | 'key' | 'workspace' | 'writes';

/** The caller of a request. */
export interface Caller {
  companyId: number;
  /** Identifies the API key; absent for an admin. */
  keyHash?: string;
}

/** Shares the database connections of the process between workspaces. */
export interface Places {
  /**
   * Runs the checks that decide whether a request is handled. Few of a credential run at the same time, so a flood that is
   * refused leaves the event loop to others. A refusal that follows others of the same caller waits a moment.
   *
   * @throws ApiError RATE_LIMITED as `hold` does.
   */
  admit<T>(credential: string, response: Response, checks: () => Promise<T>): Promise<T>;
  /** Runs what may refuse an admitted request, for example because of a limit of its own; see `createRefusalPace`. */
  paceRefusals<T>(credential: string, response: Response, work: () => Promise<T>): Promise<T>;
  /**
   * Runs what a request does with the database, once there is a place for it. Nothing is taken from the pool before.
   *
   * @throws ApiError RATE_LIMITED if too many requests of the caller wait already, or the wait takes too long.
   */
  hold<T>(caller: Caller, response: Response, work: () => Promise<T>): Promise<T>;
  /** Like `hold`, and the writes of a workspace come one at a time. */
  holdToWrite<T>(caller: Caller, response: Response, write: () => Promise<T>): Promise<T>;
  /** How many requests wait. */
  waiting(): number;
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
const MOST_WAITING = 100;
/** Requests that arrive during a look-up share the next one; with fewer, hardly any do. A bystander notices no difference to two. */
const CHECKS = 8;
/** A request that waits for its checks holds nothing but its own memory. */
const MOST_WAITING_FOR_CHECKS = 1_000;
/** As long as a statement waits for a connection of the pool. */
const MAX_WAIT_MS = 5_000;
const RETRY_AFTER_SECONDS = '1';

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
    waiting: MOST_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  };
}

function shareOfKey(places: number): number {
  return Math.max(1, Math.floor(places * SHARE_OF_KEY));
}

/** Creates the places of this process. */
export function createPlaces(limits: PlaceLimits): Places {
  const lines = (atOnce: number) => createTurns({ atOnce, mostWaiting: limits.waiting });
  const keyResponses = lines(limits.keyResponses);
  const workspaceResponses = lines(limits.workspaceResponses);
  const keys = lines(limits.key);
  const workspaces = lines(limits.workspace);
  const writes = lines(1);
  const credentials = createTurns({ atOnce: limits.checks, mostWaiting: limits.waitingForChecks });
  const refusals = createRefusalPace(limits.maxWaitMs);
  /** Requests that have a place for their response already. */
  const responding = new WeakSet<Response>();

  async function holdAfter<T>(
    first: readonly Step[],
    { companyId, keyHash }: Caller,
    response: Response,
    work: () => Promise<T>,
  ): Promise<T> {
    const workspace = String(companyId);
    const isFirst = !responding.has(response);
    // A request waits for the narrower limit first, so requests of a busy key do not wait in front of the others.
    const steps: Step[] = [
      ...first,
      ...(isFirst && keyHash !== undefined ? [step('key', keyResponses, keyHash, true)] : []),
      ...(keyHash !== undefined ? [step('key', keys, keyHash)] : []),
      ...(isFirst ? [step('workspace', workspaceResponses, workspace, true)] : []),
      step('workspace', workspaces, workspace),
    ];
    const leave = await enter(steps, response, limits.maxWaitMs);
    responding.add(response);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async function paceRefusals<T>(credential: string, response: Response, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await refusals.wait(error, credential, response);
      throw error;
    }
  }

  return {
    paceRefusals,
    async admit(credential, response, checks) {
      const leave = await enter([step('credential', credentials, credential)], response, limits.maxWaitMs);
      // A refusal gives up its turn before it waits: the owner of a stolen key must not wait behind those of the thief.
      return paceRefusals(credential, response, () => checks().finally(leave));
    },
    hold: (caller, response, work) => holdAfter([], caller, response, work),
    holdToWrite: (caller, response, write) =>
      holdAfter([step('writes', writes, String(caller.companyId))], caller, response, write),
    waiting: () =>
      [credentials, refusals, keyResponses, workspaceResponses, keys, workspaces, writes].reduce(
        (sum, line) => sum + line.waiting(),
        0,
      ),
  };
}

/** One line to wait in. */
interface Step {
  limit: PlaceLimit;
  turns: Turns;
  key: string;
  /** Whether the turn lasts until the response is sent, and not only until the work is done. */
  untilSent: boolean;
}

function step(limit: PlaceLimit, turns: Turns, key: string, untilSent = false): Step {
  return { limit, turns, key, untilSent };
}

/**
 * Waits in the lines one after the other, until the time is over or the caller disconnects.
 *
 * @returns a function that ends the turns, except those that last until the response is sent.
 */
async function enter(steps: readonly Step[], response: Response, maxWaitMs: number): Promise<() => void> {
  let patience: Patience | undefined;
  const ends: (() => void)[] = [];
  const leave = (): void => ends.forEach((end) => end());
  try {
    for (const { limit, turns, key, untilSent } of steps) {
      let end = response.closed ? undefined : turns.takeFree(key);
      if (end === undefined) {
        patience ??= startWaiting(response, maxWaitMs);
        end = await turns.take(key, patience.signal).catch((error: unknown) => {
          throw error instanceof NoTurnError ? crowded(limit, response) : error;
        });
      }
      if (untilSent) response.once('close', end);
      if (untilSent && response.closed) end();
      if (!untilSent) ends.push(end);
    }
    return leave;
  } catch (error) {
    leave();
    throw error;
  } finally {
    patience?.end();
  }
}

/** How long a request that has to wait does so. */
interface Patience {
  /** Aborted when the time is over or the caller has disconnected. */
  signal: AbortSignal;
  end(): void;
}

/** Most requests find a place at once. Only the others need a timer and a signal, which cost more than the places. */
function startWaiting(response: Response, maxWaitMs: number): Patience {
  const wait = new AbortController();
  const giveUp = (): void => wait.abort();
  if (response.closed) giveUp();
  response.once('close', giveUp);
  // When this process itself was paused, its timers fire before the places that have become free are noticed.
  const timer = setTimeout(() => setImmediate(giveUp), maxWaitMs);
  return {
    signal: wait.signal,
    end() {
      clearTimeout(timer);
      response.off('close', giveUp);
    },
  };
}

function crowded(limit: PlaceLimit, response: Response): ApiError {
  note(response, { limit });
  return new ApiError('RATE_LIMITED', SENTENCES[limit], { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
