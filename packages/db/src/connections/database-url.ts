/** A connection URL of PostgreSQL, taken apart. */
export interface DatabaseUrl {
  /** A URL for each of its hosts, in their order; at least one. */
  urls: readonly [string, ...string[]];
  /** Whether only a server that accepts writes may be used: there are several hosts, or `target_session_attrs` says so. */
  mustAcceptWrites: boolean;
  /** Whether it says `pgbouncer=true`: it leads to a pooler. */
  isPooled: boolean;
}

/** What somebody is told whose text is no connection URL. */
export const DATABASE_URL_FORM =
  'must be a URL that begins with postgresql:// or postgres://, with one host or several separated by commas; target_session_attrs can be read-write or primary';

/** The scheme and the credentials; the hosts with their ports; the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]*)(.*)$/is;
/** The values of libpq that ask for a server that accepts writes. */
const WRITABLE = new Set(['read-write', 'primary']);

/**
 * Takes a connection URL apart. As in libpq, it may name several hosts: `postgresql://user@one:5432,two/name`.
 *
 * @returns null if the text is no such URL.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl | null {
  const [found, start = '', list = '', rest = ''] = PARTS.exec(text) ?? [];
  if (found === undefined) return null;
  const hosts = list.split(',');
  if (hosts.length > 1 && hosts.includes('')) return null;
  const [first = '', ...others] = hosts.map((host) => `${start}${host}${rest}`);
  if (![first, ...others].every((url) => URL.canParse(url))) return null;
  const { searchParams } = new URL(first);
  const target = searchParams.get('target_session_attrs');
  if (target !== null && !WRITABLE.has(target)) return null;
  return {
    urls: [first, ...others],
    mustAcceptWrites: hosts.length > 1 || target !== null,
    isPooled: searchParams.get('pgbouncer') === 'true',
  };
}

/** Whether a text is a connection URL that `openDatabase` takes. */
export function isDatabaseUrl(text: string): boolean {
  return parseDatabaseUrl(text) !== null;
}
