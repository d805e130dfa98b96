import { withTimeout } from './with-timeout.ts';

/** A condition without which a process cannot work. */
export interface Check {
  /** One stable word for probes and logs. */
  name: string;
  /** Returns a word for the problem, or null when there is none. Rejecting counts as the problem `name`. */
  look: () => Promise<string | null>;
}

/** A probe that has to wait longer than this has usually given up. */
const LOOK_TIMEOUT_MS = 2_000;

/**
 * Runs all checks at once, in two seconds at most. Each check runs only once at a time, however many callers there are and
 * however long a server is silent: while it is running, further callers share its result.
 *
 * @returns a function that returns the words for the problems, in the order of the checks. No word means ready.
 */
export function createReadiness(checks: readonly Check[]): () => Promise<string[]> {
  const looks = checks.map(({ name, look }) => {
    const once = singleFlight(look);
    return () => withTimeout(LOOK_TIMEOUT_MS, once()).catch(() => name);
  });
  return async () => {
    const found = await Promise.all(looks.map((look) => look()));
    return found.filter((word) => word !== null);
  };
}

/** The body of the response to a readiness probe. */
export interface ReadinessBody {
  ok: boolean;
  /** The words for the problems. */
  failing?: readonly string[];
  /** The migrations that the database lacks. */
  missingMigrations?: readonly string[];
}

/** Returns the body of the response to a readiness probe. */
export function describeReadiness(
  failing: readonly string[],
  missingMigrations: readonly string[] = [],
): ReadinessBody {
  if (failing.length === 0) return { ok: true };
  return { ok: false, failing, ...(missingMigrations.length > 0 && { missingMigrations }) };
}

function singleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= run().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
