/**
 * Parses the base URL of the API as people write it. Accepts surrounding spaces, trailing slashes and a missing path.
 *
 * @returns the URL with its path, such as `https://api.example.com/api/v1`, without a slash at its end, a query or a password.
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

/** Removes the password from a URL, for error messages that may end up in a log. */
function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, ':…@');
}
