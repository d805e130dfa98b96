import { isIP } from 'node:net';
import { z } from 'zod';

/** Variables are missing or wrong. The message names each of them and says what is expected. */
export class ConfigurationError extends Error {}

/**
 * Reads the configuration of a process. An empty variable counts as missing, as in most deployment tools.
 *
 * @throws ConfigurationError that names every wrong variable, without its value.
 */
export function readEnvironment<T extends z.ZodType>(schema: T, environment: NodeJS.ProcessEnv): z.infer<T> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join('.') || 'environment'}: ${issue.message}`,
  );
  throw new ConfigurationError(`configuration: ${problems.join('; ')}`);
}

/** A whole number in a range, with a default. */
export function wholeNumber(minimum: number, maximum: number, preset: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      message: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .default(preset);
}

/**
 * The address that a port is opened on. Loopback by default, so that nothing is reachable from elsewhere unless somebody
 * asked for it.
 */
export const listenAddress = z
  .string()
  .refine((value) => isIP(value) !== 0, 'must be an IP address, such as 127.0.0.1, 0.0.0.0 or ::')
  .default('127.0.0.1');

/** A switch that is off by default. */
export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((value) => value === 'true');

/** A required URL with one of the given schemes. */
export function urlWithScheme(...schemes: string[]) {
  const expected = `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z
    .string({ error: expected })
    .refine(
      (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
      expected,
    );
}

/** A comma-separated list. Spaces around the items are ignored. */
export const commaSeparated = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
