/** The error for a text that is not a connection URL. */
export const DATABASE_URL_MESSAGE = 'must be a URL of one host that begins with postgresql:// or postgres://';

/** Parses a connection URL of PostgreSQL; null if the text is not one. */
function parse(text: string): URL | null {
  // The driver supports one host only, and would take a list of hosts for one name.
  if (!/^postgres(ql)?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname.includes(',') ? null : url;
}

/** Reports whether a text is a connection URL that a `Database` accepts. */
export function isDatabaseUrl(text: string): boolean {
  return parse(text) !== null;
}

/**
 * Reports whether a connection URL contains `pgbouncer=true`: it leads to a pooler in transaction mode, where each transaction
 * may run in another session of PostgreSQL. So nothing can be prepared, unless the pooler supports it, and session state does not
 * last.
 */
export function leadsToPooler(url: string): boolean {
  return parse(url)?.searchParams.get('pgbouncer') === 'true';
}
