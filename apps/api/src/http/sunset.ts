import type { Response } from 'express';

/** The announced end of an endpoint. */
export interface Sunset {
  /** When it is or was deprecated: new clients should not use it. */
  deprecatedAt: Date;
  /** When it may stop responding. */
  sunsetAt: Date;
  /** Absolute URL of a page that describes what to use instead. */
  link: string;
}

/**
 * Announces the end of an endpoint in the headers of a response: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and for each of
 * the two a `Link` to the page that describes what to use instead.
 */
export function announceSunset(response: Response, { deprecatedAt, sunsetAt, link }: Sunset): void {
  response.set('Deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`);
  response.set('Sunset', sunsetAt.toUTCString());
  response.set('Link', ['deprecation', 'sunset'].map((rel) => `<${link}>; rel="${rel}"`).join(', '));
}
