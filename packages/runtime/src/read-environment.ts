import type { z } from 'zod';

/** Variables are missing or invalid. The message names each of them and what is expected. */
export class ConfigurationError extends Error {}

/**
 * Reads the configuration of a process. An empty variable counts as missing, as in most deployment tools.
 *
 * @throws ConfigurationError that names every invalid variable, without its value.
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

/**
 * Adds a password that was configured separately to a URL. The password is percent-encoded, because it may contain characters
 * with a meaning in URLs. A URL that already has a password keeps it. The URL is handled as text, because `URL` cannot parse the
 * several hosts that PostgreSQL and Redis allow.
 */
export function urlWithPassword(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const [, scheme = '', user = '', ownPassword = '', rest = ''] =
    /^([^:]+:\/\/)(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(.*)$/s.exec(url) ?? [];
  return ownPassword === '' ? `${scheme}${user}:${encodeURIComponent(password)}@${rest}` : url;
}
