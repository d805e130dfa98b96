/** The limits of one kind of turns. */
export interface TurnLimits {
  /** How many turns of the same key there may be at the same time; 1 by default. */
  atOnce?: number;
  /** How many callers with the same key may wait; no limit by default. */
  mostWaiting?: number;
}

/** Gives turns to callers in the order in which they ask, for each key on its own. */
export interface Turns {
  /**
   * Waits for a turn.
   *
   * @param giveUp ends the wait.
   * @returns a function that ends the turn. Calling it again has no effect.
   * @throws NoTurnError if too many callers wait already, or the wait was given up.
   */
  take(key: string, giveUp?: AbortSignal): Promise<() => void>;
  /** Takes a turn that is free. @returns a function that ends it; undefined if the caller would have to wait. */
  takeFree(key: string): (() => void) | undefined;
  /** How many callers wait, over all keys. */
  waiting(): number;
}

/** The caller got no turn. */
export class NoTurnError extends Error {}

interface Line {
  taken: number;
  /** Starts the turns of those who wait, in order. */
  waiting: Set<() => void>;
}

/** Creates turns within this process. A key takes memory only while a turn of it is taken. */
export function createTurns({ atOnce = 1, mostWaiting = Infinity }: TurnLimits = {}): Turns {
  const lines = new Map<string, Line>();
  let waiting = 0;

  async function take(key: string, giveUp?: AbortSignal): Promise<() => void> {
    if (giveUp?.aborted) throw new NoTurnError('the wait was given up');
    const free = takeFree(key);
    if (free !== undefined) return free;
    const line = lineOf(key);
    await waitIn(line, giveUp);
    return ending(key, line);
  }

  function takeFree(key: string): (() => void) | undefined {
    const line = lineOf(key);
    if (line.taken >= atOnce) return undefined;
    line.taken += 1;
    return ending(key, line);
  }

  function lineOf(key: string): Line {
    const line = lines.get(key) ?? { taken: 0, waiting: new Set() };
    lines.set(key, line);
    return line;
  }

  function ending(key: string, line: Line): () => void {
    let hasEnded = false;
    return () => {
      if (!hasEnded) endTurn(key, line);
      hasEnded = true;
    };
  }

  function endTurn(key: string, line: Line): void {
    const [next] = line.waiting;
    // The turn passes to the next caller, so nobody can come in between.
    if (next !== undefined) next();
    else {
      line.taken -= 1;
      if (line.taken === 0) lines.delete(key);
    }
  }

  function waitIn(line: Line, giveUp: AbortSignal | undefined): Promise<void> {
    if (line.waiting.size >= mostWaiting) throw new NoTurnError('too many wait already');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        giveUp?.removeEventListener('abort', onGivenUp);
        line.waiting.delete(start);
        waiting -= 1;
      };
      const start = (): void => {
        leave();
        resolve();
      };
      const onGivenUp = (): void => {
        leave();
        reject(new NoTurnError('the wait was given up'));
      };
      giveUp?.addEventListener('abort', onGivenUp);
      line.waiting.add(start);
      waiting += 1;
    });
  }

  return {
    take,
    takeFree,
    waiting: () => waiting,
  };
}
