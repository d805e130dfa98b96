import { withTimeout } from './with-timeout.ts';

/** A condition without which a process cannot work. */
export interface Check {
  /** One stable word for the check, in probes and logs. */
  name: string;
  /** Returns a word for the problem, or null if there is none. A rejection counts as the problem `name`. */
  run: () => Promise<string | null>;
}

/** A probe usually gives up on a response that takes longer. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Creates a function that runs all checks at the same time, within two seconds. Each check is a single flight: callers that
 * arrive while it is running share its result, even if a server does not respond.
 *
 * @returns a function that returns the problems, in the order of the checks. The process is ready if there are none.
 */
export function createReadiness(checks: readonly Check[]): () => Promise<string[]> {
  const runs = checks.map(({ name, run }) => {
    const once = singleFlight(run);
    return () => withTimeout(CHECK_TIMEOUT_MS, once()).catch(() => name);
  });
  return async () => {
    const found = await Promise.all(runs.map((run) => run()));
    return found.filter((word) => word !== null);
  };
}

/** The body of the response to a readiness probe. */
export interface ReadinessBody {
  ok: boolean;
  /** The problems. */
  failing?: readonly string[];
  /** The migrations that are missing in the database. */
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
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
