import type { z } from 'zod';
import type { Logger } from './logger.ts';

/** What Kubernetes sets for a Service of the namespace that has such a name, such as `CAPTURE_PORT_80_TCP`. */
const OF_A_SERVICE = /_(SERVICE_HOST|SERVICE_PORT|PORT)(_|$)/;

/**
 * Finds variables that are meant for an app and that it does not read, because they are misspelt.
 *
 * A variable is meant for an app if its name begins as one of `families`. These are beginnings of names that no other program
 * uses, as far as anybody can know, and of which the app declares every setting. So nothing is found that only the other app
 * reads, where both are started with one environment, nor what belongs to the machine: a desktop sets `SESSION_MANAGER`, a
 * host of databases `DATABASE_REPLICA_URL`, and everybody's programs have a `WEBHOOK_SECRET`.
 *
 * @returns their names, sorted. A variable that is empty counts as missing.
 */
export function unknownSettings(
  environment: NodeJS.ProcessEnv,
  settings: z.ZodObject,
  families: readonly string[],
): string[] {
  return Object.entries(environment)
    .filter(([name, value]) => value !== '' && families.some((family) => name.startsWith(family)))
    .map(([name]) => name)
    .filter((name) => !Object.hasOwn(settings.shape, name) && !OF_A_SERVICE.test(name))
    .toSorted();
}

/** Says in one warning which variables of the environment have no effect, although they seem to be settings of this app. */
export function warnOfUnknownSettings(logger: Logger, ...read: Parameters<typeof unknownSettings>): void {
  const unknown = unknownSettings(...read);
  if (unknown.length > 0) logger.warn('unknown settings have no effect', { unknown });
}
