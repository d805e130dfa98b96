import createFetchClient, { type Client } from 'openapi-fetch';
import { parseBaseUrl } from './base-url.ts';
import { repeating, type Repeats } from './feeds/repeating.ts';
import type { paths } from './generated/api.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/** How to connect to the API. */
export interface ClientOptions {
  /**
   * The base URL, which ends in `/api/v1`. The path is added if missing. Default: the environment variable `DEAL_SIGNALS_URL`.
   */
  url?: string | undefined;
  /** An API key of the workspace. Default: the environment variable `DEAL_SIGNALS_API_KEY`. */
  apiKey?: string | undefined;
  /** Time for one attempt, including its body. Default: 60 seconds. */
  timeoutMs?: number;
  /** How often and for how long a failed call is repeated; false disables repeats. */
  repeats?: Repeats | false;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A client with a typed call for every operation that accepts an API key. */
export type DealSignalsClient = Client<paths>;

type Send = (request: Request) => Promise<Response>;

/** For each client, the function that sends a request without repeating it. */
const sendersOnce = new WeakMap<DealSignalsClient, Send>();

/**
 * Creates a client with typed calls: `await client.GET('/calls/{id}', { params: { path: { id } } })` returns `{ data, error,
 * response }`.
 *
 * A call that fails temporarily is repeated: after a 429 or 503 once `Retry-After` has passed, and with growing waits after
 * other 5xx responses and broken connections. A call that does more than read is repeated only after a 429, which had no
 * effect. In the end, the last response is returned or the last error thrown. The `signal` of a call ends its waiting.
 * Redirects are not followed.
 *
 * @throws Error if the URL or the key is missing or malformed.
 */
export function createClient(options: ClientOptions = {}): DealSignalsClient {
  const { baseUrl, headers } = connectionOf(options);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, repeats = {}, fetch: send = globalThis.fetch } = options;
  const once: Send = (request) =>
    send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }));
  const client = createFetchClient<paths>({
    baseUrl,
    headers,
    // Redirects are not followed: no operation of the API redirects, so another server would receive the key.
    redirect: 'manual',
    fetch: repeats === false ? once : repeating(once, repeats),
  });
  sendersOnce.set(client, once);
  return client;
}

/** Returns the options of a call that its caller repeats: the client sends it once, so that the waits do not multiply. */
export function sentOnce(client: DealSignalsClient): { fetch?: Send } {
  const fetch = sendersOnce.get(client);
  return fetch === undefined ? {} : { fetch };
}

/** Where requests are sent, and with which API key. */
export interface Connection {
  /** Without a trailing slash. */
  baseUrl: string;
  headers: { Authorization: string };
}

/**
 * Checks the URL and the key. Defaults come from the environment.
 *
 * @throws Error if the URL or the key is missing or malformed.
 */
export function connectionOf({ url, apiKey }: Pick<ClientOptions, 'url' | 'apiKey'>): Connection {
  const given = url || environmentVariable('DEAL_SIGNALS_URL');
  if (!given) throw new Error('the URL of the API is missing: set DEAL_SIGNALS_URL');
  const baseUrl = parseBaseUrl(given);
  const key = validateKey(apiKey || environmentVariable('DEAL_SIGNALS_API_KEY'));
  return { baseUrl, headers: { Authorization: `Bearer ${key}` } };
}

function validateKey(apiKey: string | undefined): string {
  if (!apiKey) throw new Error('the API key is missing: set DEAL_SIGNALS_API_KEY');
  // `fetch` would reject a header with such characters, in a message that contains the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error('the API key contains characters that are not valid in a key');
  return apiKey;
}

/** Reads an environment variable, if the runtime has an environment. */
function environmentVariable(name: string): string | undefined {
  return typeof process === 'object' ? process.env[name] : undefined;
}
