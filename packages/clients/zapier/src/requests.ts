import { parseBaseUrl } from 'deal-signals/base-url';
import type { AfterResponseMiddleware, BeforeRequestMiddleware, Bundle, ZObject } from 'zapier-platform-core';

/** Sends the key of the connection with each request. */
export const addKey: BeforeRequestMiddleware = (request, _z, bundle) => {
  request.headers = { ...request.headers, Authorization: `Bearer ${bundle?.authData['apiKey']}` };
  // No operation of the API redirects, so following a redirect would send the key to another server.
  request.redirect = 'manual';
  return request;
};

/**
 * Throws an error with the message of the API. Zapier handles a 429 before this is called: it waits and repeats the request.
 */
export const explainRefusals: AfterResponseMiddleware = (response, z) => {
  const { error, code } = (response.data ?? {}) as { error?: string; code?: string };
  // The code distinguishes the API from another server, where the path does not exist.
  const isMissing = response.status === 404 && code === 'NOT_FOUND';
  if (response.status < 300 || (isMissing && response.skipThrowForStatus)) return response;
  const sentence =
    error ??
    `The server responded with the status ${response.status}, but not like the Deal Signals API: is the base URL right?`;
  throw new z.errors.Error(sentence, code, response.status);
};

/** Returns the URL of a path of the API. */
export function apiUrl({ authData }: Bundle, path: string): string {
  return parseBaseUrl(String(authData['baseUrl'])) + path;
}

/** A record of a list. */
export type ListedRecord = { id: string } & Record<string, unknown>;

/** A page of a list. */
export interface Page {
  data: ListedRecord[];
  nextCursor: string;
  hasMore: boolean;
}

/**
 * Reads from the API.
 *
 * @param params parameters without a value are left out.
 * @returns null if the object does not exist.
 */
export async function read<Body>(
  z: ZObject,
  bundle: Bundle,
  path: string,
  params: Record<string, string | number | undefined> = {},
): Promise<Body | null> {
  const response = await z.request({
    url: apiUrl(bundle, path),
    params,
    removeMissingValuesFrom: { params: true },
    // A search for an object that does not exist returns no results.
    skipThrowForStatus: true,
  });
  return response.status === 404 ? null : (response.data as Body);
}
