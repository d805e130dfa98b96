import type { z } from 'zod';

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

/**
 * A URL with a password that was given apart from it, as it is. Passwords contain characters that mean something in a URL, so
 * they are percent-encoded here. A URL that has a password keeps its own. Works on the text, because a URL with several hosts,
 * as PostgreSQL and Redis use them, is not one that `URL` can parse.
 */
export function urlWithPassword(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const [, scheme = '', user = '', ownPassword = '', rest = ''] =
    /^([^:]+:\/\/)(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(.*)$/s.exec(url) ?? [];
  return ownPassword === '' ? `${scheme}${user}:${encodeURIComponent(password)}@${rest}` : url;
}
