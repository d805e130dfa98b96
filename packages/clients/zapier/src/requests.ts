import { parseBaseUrl } from 'deal-signals/base-url';
import type { AfterResponseMiddleware, BeforeRequestMiddleware, Bundle, ZObject } from 'zapier-platform-core';

/** Sends the key of the connection with each request. */
export const addKey: BeforeRequestMiddleware = (request, _z, bundle) => {
  request.headers = { ...request.headers, Authorization: `Bearer ${bundle?.authData['apiKey']}` };
  // No operation of the API redirects, so it would be another server that gets the key.
  request.redirect = 'manual';
  return request;
};

/** Says what the API has said. After a 429, Zapier itself waits and tries again before this is called. */
export const explainRefusals: AfterResponseMiddleware = (response, z) => {
  const { error, code } = (response.data ?? {}) as { error?: string; code?: string };
  // The code tells the API from another server, which knows no path of the API.
  const isMissing = response.status === 404 && code === 'NOT_FOUND';
  if (response.status < 300 || (isMissing && response.skipThrowForStatus)) return response;
  const sentence =
    error ??
    `The server responded with the status ${response.status}, and not as the API does: is the base URL right?`;
  throw new z.errors.Error(sentence, code, response.status);
};

/** The URL of a path of the API. */
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
 * @param params those without a value are left out.
 * @returns null if the requested object does not exist.
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
    // A search for what does not exist finds nothing.
    skipThrowForStatus: true,
  });
  return response.status === 404 ? null : (response.data as Body);
}
