import { within } from './within.ts';

/** Something that a process cannot work without. */
export interface Check {
  /** One stable word for probes and logs. */
  name: string;
  /** Gives a word for what is wrong, or null; rejecting means what `name` says. */
  look: () => Promise<string | null>;
}

/** A probe that waits longer has given up. */
const LOOK_TIMEOUT_MS = 2_000;

/**
 * Looks at everything at once, in two seconds at most. However many ask, and however long a server keeps silent, there is
 * one look under way for each check: what has not ended does not begin again.
 *
 * @returns a function that gives the words for what is wrong, in the order of the checks; none means ready.
 */
export function createReadiness(checks: readonly Check[]): () => Promise<string[]> {
  const looks = checks.map(({ name, look }) => {
    const once = singleFlight(look);
    return () => within(LOOK_TIMEOUT_MS, once()).catch(() => name);
  });
  return async () => {
    const found = await Promise.all(looks.map((look) => look()));
    return found.filter((word) => word !== null);
  };
}

/** The body of a readiness probe's answer. */
export function describeReadiness(failing: readonly string[]): { ok: boolean; failing?: readonly string[] } {
  return failing.length === 0 ? { ok: true } : { ok: false, failing };
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
