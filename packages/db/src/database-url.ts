/** What somebody is told whose text is no connection URL. */
export const DATABASE_URL_FORM = 'must be a URL of one host that begins with postgresql:// or postgres://';

/** Takes a connection URL of PostgreSQL apart; null if the text is none. */
function parse(text: string): URL | null {
  // The driver knows one host only, and would take a list of them for the name of one.
  if (!/^postgres(ql)?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname.includes(',') ? null : url;
}

/** Whether a text is a connection URL that a `Database` takes. */
export function isDatabaseUrl(text: string): boolean {
  return parse(text) !== null;
}

/**
 * Whether a connection URL says `pgbouncer=true`: it leads to a pooler in transaction mode, which gives each transaction
 * another session of PostgreSQL. So nothing can be prepared, unless the pooler knows how, and nothing of a session lasts.
 */
export function leadsToPooler(url: string): boolean {
  return parse(url)?.searchParams.get('pgbouncer') === 'true';
}
