import { callbackify } from 'node:util';
import { Client, type ClientConfig, type QueryConfig } from 'pg';
import { NoWritableServerError } from '../database-errors.ts';
import { parseDatabaseUrl } from './database-url.ts';

/** How the driver connects to what a URL names. */
export interface Connector {
  /** The class of the driver's clients. */
  Client: typeof Client;
  /** For the configuration of the clients. */
  connectionString: string;
}

/** A server that does not respond must leave time for the others, and for the connection itself. */
const LONGEST_LOOK_MS = 2_000;
const DEFAULT_CONNECT_MS = 10_000;

/**
 * Returns how to connect to what a URL names. The driver knows one host only. If the URL has several, or asks for a server that
 * accepts writes, each new connection first looks for such a server: the one of the last connection, then the others in
 * the order of the URL.
 *
 * Each look is a connection of its own, because the driver can neither move a client to another host nor use it twice. It costs
 * a few milliseconds for each connection, and nothing for a statement.
 */
export function connectorOf(url: string): Connector {
  const parsed = parseDatabaseUrl(url);
  // The driver says what is wrong with a text that is no URL.
  if (parsed === null) return { Client, connectionString: url };
  const { urls, mustAcceptWrites } = parsed;
  const [connectionString] = urls;
  return { Client: mustAcceptWrites ? writableClient(urls) : Client, connectionString };
}

function writableClient(urls: readonly string[]): typeof Client {
  /** The URL of the last server that accepted writes, first. */
  let order = [...urls];

  /** @throws NoWritableServerError */
  async function findServer(config: ClientConfig, lookMs: number): Promise<Client> {
    const problems: string[] = [];
    for (const url of order) {
      const candidate = new Client({ ...config, connectionString: url, connectionTimeoutMillis: lookMs });
      const problem = await problemOf(candidate, lookMs);
      if (problem === null) {
        order = [url, ...urls.filter((other) => other !== url)];
        return candidate;
      }
      problems.push(`${candidate.host}:${candidate.port} ${problem}`);
    }
    throw new NoWritableServerError(problems);
  }

  return class WritableClient extends Client {
    readonly #config: ClientConfig;

    constructor(config: ClientConfig = {}) {
      super(config);
      this.#config = config;
    }

    override connect(): Promise<Client>;
    override connect(callback: (error: Error | null, client?: Client) => void): void;
    override connect(callback?: (error: Error | null, client?: Client) => void): Promise<Client> | void {
      if (callback === undefined) return this.#connectToServer();
      callbackify(() => this.#connectToServer())(callback);
    }

    async #connectToServer(): Promise<Client> {
      const limitMs = this.#config.connectionTimeoutMillis || DEFAULT_CONNECT_MS;
      const lookMs = Math.min(LONGEST_LOOK_MS, limitMs / (urls.length + 1));
      const { host, port } = await findServer(this.#config, lookMs);
      this.host = host;
      this.port = port;
      return super.connect();
    }
  };
}

/** Why a server must not be used; null if it accepts writes. */
async function problemOf(candidate: Client, lookMs: number): Promise<string | null> {
  candidate.on('error', () => {});
  try {
    await candidate.connect();
    const query: QueryConfig & { query_timeout: number } = {
      text: 'SHOW transaction_read_only',
      query_timeout: lookMs,
    };
    const { rows } = await candidate.query<{ transaction_read_only: string }>(query);
    return rows[0]?.transaction_read_only === 'off' ? null : 'is read-only';
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return `is unavailable (${message || code})`;
  } finally {
    // Not awaited: a server that hangs does not close the connection.
    void candidate.end().catch(() => {});
  }
}
