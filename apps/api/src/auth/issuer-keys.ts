import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { secureUrl } from './secure-url.ts';

/** Maximum time to fetch the keys with the metadata that lead to them. Requests wait for it. */
const TIMEOUT_MS = 5_000;
/** A set of keys has a few KiB. */
const MAX_BYTES = 256 * 1_024;

/**
 * Fetches the keys that an issuer's metadata refers to (RFC 8414, or OpenID Connect Discovery).
 *
 * @throws an error if the issuer cannot be reached, or publishes metadata of another issuer.
 */
export async function fetchIssuerKeys(issuer: string): Promise<JSONWebKeySet> {
  const metadata = z.object({ issuer: z.literal(issuer), jwks_uri: secureUrl });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const failures: unknown[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const { jwks_uri } = metadata.parse(await fetchJson(url, signal));
      return await fetchKeys(jwks_uri, signal);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, `could not fetch the metadata and keys of ${issuer}`);
}

/** Fetches a set of keys. Its content is checked where it is used. */
export async function fetchKeys(
  url: string,
  signal = AbortSignal.timeout(TIMEOUT_MS),
): Promise<JSONWebKeySet> {
  return (await fetchJson(url, signal)) as JSONWebKeySet;
}

function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

/** Fetches a JSON document in bounded time and size. Redirects are errors: they could lead to a server that nobody named. */
async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal, headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} responded with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}
