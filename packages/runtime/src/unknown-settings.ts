import type { z } from 'zod';
import type { Logger } from './logger.ts';

/** The variables that Kubernetes sets for a Service in the same namespace, such as `CAPTURE_PORT_80_TCP`. */
const SERVICE_VARIABLE = /_(SERVICE_HOST|SERVICE_PORT|PORT)(_|$)/;

/**
 * Finds variables that look like settings of an app but that it does not read, because they are misspelled.
 *
 * A variable looks like a setting if its name begins with one of `prefixes`, which other programs are not expected
 * to use, and whose settings the app declares completely. So it does not report settings of the other app, where both share one
 * environment, or variables of the machine: a desktop sets `SESSION_MANAGER`, a database host `DATABASE_REPLICA_URL`, and many
 * programs have a `WEBHOOK_SECRET`.
 *
 * @returns the names of the variables, sorted. An empty variable counts as missing.
 */
export function unknownSettings(
  environment: NodeJS.ProcessEnv,
  settings: z.ZodObject,
  prefixes: readonly string[],
): string[] {
  return Object.entries(environment)
    .filter(([name, value]) => value !== '' && prefixes.some((prefix) => name.startsWith(prefix)))
    .map(([name]) => name)
    .filter((name) => !Object.hasOwn(settings.shape, name) && !SERVICE_VARIABLE.test(name))
    .toSorted();
}

/** Logs one warning with the variables that look like settings of this app but have no effect. */
export function warnAboutUnknownSettings(logger: Logger, ...read: Parameters<typeof unknownSettings>): void {
  const unknown = unknownSettings(...read);
  if (unknown.length > 0) logger.warn('unknown settings have no effect', { unknown });
}
