/**
 * Parses the base URL of the API as people write it. Accepts surrounding spaces, trailing slashes and a missing path.
 * Community nodes may not have dependencies, so this is a copy of `base-url.ts` of the package deal-signals.
 *
 * @returns the URL with its path, such as `https://api.example.com/api/v1`, without a slash at its end, a query or a password.
 * @throws Error if it cannot be the base URL of version 1 of the API.
 */
export function parseBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) {
    throw new Error('The base URL must begin with https:// or http://');
  }
  const { origin, pathname } = new URL(trimmed);
  const path = pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  if (path === '') return `${origin}/api/v1`;
  if (!path.endsWith('/v1')) throw new Error('The base URL must end in /api/v1');
  return origin + path;
}
