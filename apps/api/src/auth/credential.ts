import { hash } from 'node:crypto';
import type { Request } from 'express';
import { looksLikeApiKey } from './generate-api-key.ts';

/** The credential of a request, not yet authenticated. */
export interface Credential {
  /** The bearer token; empty if there is none. */
  token: string;
  /** Whether it has the form of an API key. */
  isApiKey: boolean;
  /** SHA-256 of the token in base64url. It identifies the token in memory and in Redis. */
  digest: string;
}

/** Reads the credential of a request. */
export function readCredential(request: Pick<Request, 'get'>): Credential {
  const token = bearerToken(request.get('authorization')) ?? '';
  return { token, isApiKey: looksLikeApiKey(token), digest: hash('sha256', token, 'base64url') };
}

/** Returns the `WWW-Authenticate` of a response to a credential that is missing or invalid (RFC 6750). */
export function bearerChallenge(token: string): string {
  return token === '' ? 'Bearer' : 'Bearer error="invalid_token"';
}

/** Returns the token of an `Authorization: Bearer …` header (RFC 6750); undefined if there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
