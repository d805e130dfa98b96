import { z } from 'zod';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Reads the URL of a trusted server. It must be https; on the same machine, http is allowed for tests. */
export const secureUrl = z
  .string()
  .refine(isSecureUrl, 'must be an https URL without a user, a query or a fragment');

/** Reports whether what a URL serves can only come from the server that it names. */
function isSecureUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.password !== '' || /[?#]/.test(text)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}
