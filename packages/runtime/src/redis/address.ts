import { z } from 'zod';

/** One server of a Sentinel or Cluster address. */
export interface RedisNode {
  host: string;
  port: number;
}

/** The address of Redis, parsed from `REDIS_URL`. */
export type RedisAddress =
  | { kind: 'single'; url: string; isTls: boolean }
  | {
      kind: 'sentinel';
      sentinels: RedisNode[];
      /** The name of the primary in the configuration of the Sentinels. */
      primary: string;
      db: number;
      credentials: RedisCredentials;
      isTls: boolean;
    }
  | { kind: 'cluster'; nodes: RedisNode[]; credentials: RedisCredentials; isTls: boolean };

/** The credentials for the data nodes. The default user has a password and no name. */
export interface RedisCredentials {
  username?: string;
  password?: string;
}

const REDIS_PORT = 6_379;
const SENTINEL_PORT = 26_379;

const FORMS =
  'must be redis://host:port, redis+sentinel://host:port,host:port/primary or redis+cluster://host:port,host:port, ' +
  'with rediss instead of redis for TLS';

const PARTS =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?<rest>[?#].*)?$/i;

/** Validates `REDIS_URL` and returns it as text, for a program that passes it on. */
export const redisUrl = z.string({ error: FORMS }).superRefine((text, context) => {
  const problem = findProblem(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** Parses `REDIS_URL`. */
export const redisAddress = redisUrl.transform((text) => toAddress(text));

/**
 * Returns what is wrong with a URL, or null if it is valid. The message does not contain the URL, which may contain a password.
 */
function findProblem(text: string): string | null {
  try {
    toAddress(text);
    return null;
  } catch (error) {
    return error instanceof AddressError ? error.message : FORMS;
  }
}

class AddressError extends Error {}

/** @throws AddressError that says what is wrong; another error if the URL has none of the accepted forms. */
function toAddress(text: string): RedisAddress {
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined) throw new AddressError(FORMS);
  const { scheme = '', kind, user, hosts = '', path = '', rest } = parts;
  const isTls = scheme.toLowerCase() === 'rediss';
  const credentials = readCredentials(user);
  if (kind === undefined) return { kind: 'single', url: singleUrl(text, hosts, path), isTls };

  if (rest !== undefined) throw new AddressError(`redis+${kind}:// must not have parameters`);
  if (kind.toLowerCase() === 'cluster') {
    if (path !== '' && path !== '/') {
      throw new AddressError(
        'redis+cluster:// must not have a path or a database number: a cluster has only database 0',
      );
    }
    return { kind: 'cluster', nodes: readNodes(hosts, REDIS_PORT), credentials, isTls };
  }
  const [primary = '', db = '0', ...more] = path.slice(1).split('/');
  if (!/^[\w.-]+$/.test(primary)) {
    throw new AddressError('redis+sentinel:// must end with the name of the primary, such as /mymaster');
  }
  if (!/^\d{1,4}$/.test(db) || more.length > 0) {
    throw new AddressError(
      'redis+sentinel:// must have nothing but a database number after the name of the primary',
    );
  }
  const sentinels = readNodes(hosts, SENTINEL_PORT);
  return { kind: 'sentinel', sentinels, primary, db: Number(db), credentials, isTls };
}

function singleUrl(text: string, hosts: string, path: string): string {
  if (hosts.includes(',')) {
    throw new AddressError(
      'must begin with redis+sentinel:// or redis+cluster:// (or rediss+…) to list several hosts',
    );
  }
  if (!/^(\/\d{0,4})?$/.test(path))
    throw new AddressError('must have nothing but a database number after the host');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.port === '0') throw new AddressError(FORMS);
  // ioredis takes options from the query. A database that is not a number would fail at each connection instead of at startup.
  if (!/^\d{1,4}$/.test(url.searchParams.get('db') ?? '0')) {
    throw new AddressError('db must be a database number');
  }
  return text;
}

function readCredentials(user: string | undefined): RedisCredentials {
  if (user === undefined) return {};
  const [username = '', ...password] = user.split(':');
  return {
    ...(username !== '' && { username: decode(username) }),
    ...(password.join(':') !== '' && { password: decode(password.join(':')) }),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError(
      'must have percent-encoded credentials, with %25 for a percent sign; set REDIS_PASSWORD to use a password without encoding',
    );
  }
}

function readNodes(hosts: string, defaultPort: number): RedisNode[] {
  return hosts.split(',').map((text) => {
    const { ipv6, name, port } =
      /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/i.exec(text.trim())?.groups ??
      {};
    const host = ipv6 ?? name;
    const number = Number(port ?? defaultPort);
    if (host === undefined || number < 1 || number > 65_535) {
      throw new AddressError('must list its servers as host:port, separated by commas');
    }
    return { host, port: number };
  });
}
