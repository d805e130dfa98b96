import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/api.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/** How to reach the API. */
export interface ClientOptions {
  /** The base URL, which ends in `/api/v1`. Default: the environment variable `DEAL_SIGNALS_URL`. */
  url?: string | undefined;
  /** An API key of the workspace. Default: the environment variable `DEAL_SIGNALS_API_KEY`. */
  apiKey?: string | undefined;
  /** Time for one request, including its body. Default: 60 seconds. */
  timeoutMs?: number;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Typed calls of every operation that takes an API key. */
export type DealSignalsClient = Client<paths>;

/**
 * Creates a client with typed calls: `await client.GET('/calls/{id}', { params: { path: { id } } })` gives
 * `{ data, error, response }`.
 *
 * A call is sent once: it is neither repeated nor redirected. `followFeed` adds the waiting and repeating that a feed needs.
 *
 * @throws Error if the URL or the key is missing or cannot be right.
 */
export function createClient(options: ClientOptions = {}): DealSignalsClient {
  const { baseUrl, headers } = connectionOf(options);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, fetch: send = globalThis.fetch } = options;
  return createFetchClient<paths>({
    baseUrl,
    headers,
    // A redirect is not followed: no operation of the API redirects, so it would be another server that gets the key.
    redirect: 'manual',
    fetch: (request) =>
      send(
        new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }),
      ),
  });
}

/** Where requests are sent, and with which credential. */
export interface Connection {
  /** Without a slash at its end. */
  baseUrl: string;
  headers: { Authorization: string };
}

/**
 * Checks the URL and the key, and reads those that are not given from the environment.
 *
 * @throws Error if the URL or the key is missing or cannot be right.
 */
export function connectionOf({ url, apiKey }: Pick<ClientOptions, 'url' | 'apiKey'>): Connection {
  const baseUrl = checkedUrl(url || environmentVariable('DEAL_SIGNALS_URL'));
  const key = checkedKey(apiKey || environmentVariable('DEAL_SIGNALS_API_KEY'));
  return { baseUrl, headers: { Authorization: `Bearer ${key}` } };
}

/** Returns the base URL without a slash at its end. */
function checkedUrl(url: string | undefined): string {
  if (!url) throw new Error('the URL of the API is missing: set DEAL_SIGNALS_URL');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Error(`the URL of the API must begin with https:// or http://, but is ${withoutPassword(url)}`);
  }
  const parsed = new URL(url);
  const path = parsed.pathname.replace(/\/+$/, '');
  if (!/\/v\d+$/.test(path)) {
    throw new Error(`the URL of the API must end in /api/v1, but is ${withoutPassword(url)}`);
  }
  return parsed.origin + path;
}

/** A URL for an error message, which may end in a log. */
function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, ':…@');
}

function checkedKey(apiKey: string | undefined): string {
  if (!apiKey) throw new Error('the API key is missing: set DEAL_SIGNALS_API_KEY');
  // A header with such characters would fail with a message that contains the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new Error('the API key contains characters that no key has');
  return apiKey;
}

/** Reads an environment variable, where the runtime has an environment. */
function environmentVariable(name: string): string | undefined {
  return typeof process === 'object' ? process.env[name] : undefined;
}
