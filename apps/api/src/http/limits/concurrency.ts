import type { Response } from 'express';

/** A line of requests, of which a few are let through at the same time. */
export interface Line {
  /** The limit that it stands for, and whose requests wait in it. */
  name: string;
  /** How many are let through at the same time. */
  atOnce: number;
  /** How many may wait. */
  mostWaiting: number;
  /** How long a request waits, in milliseconds. */
  maxWaitMs: number;
}

/** A request was not let through: too many wait already, it has waited too long, or its caller has disconnected. */
export class CrowdedError extends Error {}

/** Who has been let through, and who waits. */
interface Occupied {
  inside: number;
  /** Lets in those who wait, in order. */
  waiting: Set<() => void>;
}

/**
 * Bounds how much of this process requests take at the same time. Each line lets its requests through in the order in which they
 * came, independently of the others, and takes memory only while a request is in it.
 */
export class Concurrency {
  readonly #lines = new Map<string, Occupied>();
  #waiting = 0;

  /** How many requests wait, over all lines. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits to be let through.
   *
   * @param response if given, the request waits no longer once its caller has disconnected.
   * @returns a function with which the request leaves. Calling it again has no effect.
   * @throws CrowdedError
   */
  async enter(line: Line, response?: Response): Promise<() => void> {
    if (response?.closed === true) throw new CrowdedError();
    const occupied = this.#lines.get(line.name) ?? { inside: 0, waiting: new Set() };
    this.#lines.set(line.name, occupied);
    if (occupied.inside >= line.atOnce) await this.#wait(occupied, line, response);
    else occupied.inside += 1;
    let isInside = true;
    return () => {
      if (isInside) this.#leave(line.name, occupied);
      isInside = false;
    };
  }

  #leave(name: string, occupied: Occupied): void {
    const [next] = occupied.waiting;
    // The next one takes the place, so nobody can come in between.
    if (next !== undefined) next();
    else {
      occupied.inside -= 1;
      if (occupied.inside === 0) this.#lines.delete(name);
    }
  }

  #wait({ waiting }: Occupied, { mostWaiting, maxWaitMs }: Line, response?: Response): Promise<void> {
    if (waiting.size >= mostWaiting) throw new CrowdedError();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        response?.off('close', giveUp);
        waiting.delete(letIn);
        this.#waiting -= 1;
      };
      const letIn = (): void => {
        end();
        resolve();
      };
      const giveUp = (): void => {
        if (!waiting.has(letIn)) return;
        end();
        reject(new CrowdedError());
      };
      // When this process itself was paused, its timers fire before the places that have become free are noticed.
      const timer = setTimeout(() => setImmediate(giveUp), maxWaitMs);
      response?.once('close', giveUp);
      waiting.add(letIn);
      this.#waiting += 1;
    });
  }
}
