import winston from 'winston';

/** A failure that repeats within this time is counted instead of logged. */
const QUIET_MS = 300_000;
/** Limits the memory for failures whose texts all differ. */
const MAX_REMEMBERED = 1_000;
/** Each of these lines reports a request or an attempt of its own, so none is left out. */
const ALWAYS_LOGGED = new Set(['request', 'attempt']);

interface Remembered {
  untilMs: number;
  leftOut: number;
}

/**
 * Returns a log format that keeps an outage from filling the disk. Of a failure that repeats, one line in five minutes is logged
 * in full, and the next one has the number of omitted lines in `repeated`. Lines about requests and attempts are always logged,
 * but without the stack if they repeat.
 *
 * Two failures are the same if they have the same message and the same error. A line is a failure if it has a stack.
 *
 * @param now returns the time in milliseconds.
 */
export function withoutRepeatedFailures(now: () => number = () => performance.now()): winston.Logform.Format {
  const remembered = new Map<string, Remembered>();
  return {
    transform(line) {
      if (line['stack'] === undefined) return line;
      const key = `${String(line.message)} ${String(line['error'])}`;
      const last = remembered.get(key);
      if (last === undefined || last.untilMs <= now()) {
        if (remembered.size >= MAX_REMEMBERED) remembered.clear();
        remembered.set(key, { untilMs: now() + QUIET_MS, leftOut: 0 });
        return last === undefined || last.leftOut === 0 ? line : { ...line, repeated: last.leftOut };
      }
      if (ALWAYS_LOGGED.has(String(line.message))) {
        const { stack: _, ...rest } = line;
        return rest;
      }
      last.leftOut += 1;
      return false;
    },
  };
}
