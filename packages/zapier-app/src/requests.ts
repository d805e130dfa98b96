import type { AfterResponseMiddleware, BeforeRequestMiddleware, Bundle, ZObject } from 'zapier-platform-core';

/** How long to wait if the API does not say. */
const DEFAULT_WAIT_SECONDS = 60;

/** Sends the key of the connection with each request. */
export const addKey: BeforeRequestMiddleware = (request, _z, bundle) => {
  request.headers = { ...request.headers, Authorization: `Bearer ${bundle?.authData['apiKey']}` };
  return request;
};

/** Says what the API has said. What came too often is tried again by Zapier. */
export const explainRefusals: AfterResponseMiddleware = (response, z) => {
  if (response.status < 400 || (response.status === 404 && response.skipThrowForStatus)) return response;
  const { error, code } = (response.data ?? {}) as { error?: string; code?: string };
  const sentence = error ?? `The API responded with the status ${response.status}`;
  if (response.status === 429) {
    const seconds = Number(response.getHeader('retry-after') ?? DEFAULT_WAIT_SECONDS);
    throw new z.errors.ThrottledError(sentence, seconds);
  }
  throw new z.errors.Error(sentence, code, response.status);
};

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
 * @returns null if what is asked for does not exist.
 */
export async function read<Body>(
  z: ZObject,
  bundle: Bundle,
  path: string,
  params: Record<string, string | number | undefined> = {},
): Promise<Body | null> {
  const response = await z.request({
    url: `${bundle.authData['baseUrl']}${path}`,
    params,
    removeMissingValuesFrom: { params: true },
    // A search for what does not exist finds nothing.
    skipThrowForStatus: true,
  });
  return response.status === 404 ? null : (response.data as Body);
}
