import createFetchClient, { type Client } from 'openapi-fetch';
import { parseBaseUrl } from './base-url.ts';
import { repeating, type Repeats } from './feeds/repeating.ts';
import type { paths } from './generated/api.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/** How to reach the API. */
export interface ClientOptions {
  /** The base URL, which ends in `/api/v1`; without a path, that is added. Default: the environment variable `DEAL_SIGNALS_URL`. */
  url?: string | undefined;
  /** An API key of the workspace. Default: the environment variable `DEAL_SIGNALS_API_KEY`. */
  apiKey?: string | undefined;
  /** Time for one attempt, including its body. Default: 60 seconds. */
  timeoutMs?: number;
  /** How often and how long a call that fails is repeated; false: not at all. */
  repeats?: Repeats | false;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Typed calls of every operation that takes an API key. */
export type DealSignalsClient = Client<paths>;

type Send = (request: Request) => Promise<Response>;

/** How the clients send without repeating. */
const sendersOnce = new WeakMap<DealSignalsClient, Send>();

/**
 * Creates a client with typed calls: `await client.GET('/calls/{id}', { params: { path: { id } } })` gives
 * `{ data, error, response }`.
 *
 * A call that fails for a moment is repeated: as long after a 429 or 503 as `Retry-After` says, and with growing waits after
 * other 5xx responses and broken connections. What does more than read is repeated after a 429 alone, which did nothing. In
 * the end, the last response is returned or the last error thrown. The `signal` of a call ends its waiting. A redirect is
 * not followed.
 *
 * @throws Error if the URL or the key is missing or cannot be right.
 */
export function createClient(options: ClientOptions = {}): DealSignalsClient {
  const { baseUrl, headers } = connectionOf(options);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, repeats = {}, fetch: send = globalThis.fetch } = options;
  const once: Send = (request) =>
    send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }));
  const client = createFetchClient<paths>({
    baseUrl,
    headers,
    // A redirect is not followed: no operation of the API redirects, so it would be another server that gets the key.
    redirect: 'manual',
    fetch: repeats === false ? once : repeating(once, repeats),
  });
  sendersOnce.set(client, once);
  return client;
}

/** The options of a call that its caller retries: the client sends it once, so that the waits do not multiply. */
export function sentOnce(client: DealSignalsClient): { fetch?: Send } {
  const fetch = sendersOnce.get(client);
  return fetch === undefined ? {} : { fetch };
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
  const given = url || environmentVariable('DEAL_SIGNALS_URL');
  if (!given) throw new Error('the URL of the API is missing: set DEAL_SIGNALS_URL');
  const baseUrl = parseBaseUrl(given);
  const key = checkedKey(apiKey || environmentVariable('DEAL_SIGNALS_API_KEY'));
  return { baseUrl, headers: { Authorization: `Bearer ${key}` } };
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
