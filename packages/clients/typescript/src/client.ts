import createFetchClient, { type Client } from 'openapi-fetch';
import { parseBaseUrl } from './base-url.ts';
import { repeating, type Repeats } from './feeds/repeating.ts';
import type { paths } from './generated/api.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/** How to reach the API. */
export interface ClientOptions {
  /**
   * The base URL, which ends in `/api/v1`. If it has no path, `/api/v1` is added. Default: the environment variable
   * `DEAL_SIGNALS_URL`.
   */
  url?: string | undefined;
  /** An API key of the workspace. Default: the environment variable `DEAL_SIGNALS_API_KEY`. */
  apiKey?: string | undefined;
  /** Timeout of one attempt, including its body. Default: 60 seconds. */
  timeoutMs?: number;
  /** The retry policy of failed calls; false disables retries. */
  repeats?: Repeats | false;
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Typed calls of every operation that takes an API key. */
export type DealSignalsClient = Client<paths>;

type Send = (request: Request) => Promise<Response>;

/** Options for sending without retries. */
const sendersOnce = new WeakMap<DealSignalsClient, Send>();

/**
 * Creates a client with typed calls: `await client.GET('/calls/{id}', { params: { path: { id } } })` returns `{ data, error,
 * response }`.
 *
 * Temporary failures are retried: after a 429 or 503 when `Retry-After` has passed, and after other 5xx responses and broken
 * connections with exponential backoff. Calls that do more than read are retried only after a 429, which had no effect. Finally
 * the last response is returned or the last error is thrown. The `signal` of a call ends its waits. Redirects are not followed.
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
    // Redirects are not followed. No operation of the API redirects, so the key would go to another server.
    redirect: 'manual',
    fetch: repeats === false ? once : repeating(once, repeats),
  });
  sendersOnce.set(client, once);
  return client;
}

/** The options of a call that its caller retries. The client sends it once, so that the waits do not multiply. */
export function sentOnce(client: DealSignalsClient): { fetch?: Send } {
  const fetch = sendersOnce.get(client);
  return fetch === undefined ? {} : { fetch };
}

/** The base URL and the credential of requests. */
export interface Connection {
  /** Without a trailing slash. */
  baseUrl: string;
  headers: { Authorization: string };
}

/**
 * Validates the URL and the key. Those that are not given are read from the environment.
 *
 * @throws Error if the URL or the key is missing or malformed.
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
  // Such characters in a header would fail with a message that contains the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error('the API key contains invalid characters: copy it again from where it was created');
  return apiKey;
}

/** Reads an environment variable, if the runtime has an environment. */
function environmentVariable(name: string): string | undefined {
  return typeof process === 'object' ? process.env[name] : undefined;
}
