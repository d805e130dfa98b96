/**
 * Parses the base URL of the API leniently: surrounding spaces, trailing slashes and a missing path are accepted.
 *
 * @returns the URL with its path, such as `https://api.example.com/api/v1`, without a trailing slash, a query or a password.
 * @throws Error if it cannot be the base URL of version 1 of the API. The message does not contain a password.
 */
export function parseBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) {
    throw new Error(
      `the URL of the API must begin with https:// or http://, but is ${withoutPassword(text)}`,
    );
  }
  const { origin, pathname } = new URL(trimmed);
  const path = pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  if (path === '') return `${origin}/api/v1`;
  if (!path.endsWith('/v1')) {
    throw new Error(`the URL of the API must end in /api/v1, but is ${withoutPassword(text)}`);
  }
  return origin + path;
}

/** Formats a URL without its password for an error message, which may be logged. */
function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, ':…@');
}
