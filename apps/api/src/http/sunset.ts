import type { Response } from 'express';

/** The announced end of an endpoint. */
export interface Sunset {
  /** Since when it should no longer be used by anything new. */
  deprecatedAt: Date;
  /** From when it may stop to answer. */
  sunsetAt: Date;
  /** Absolute URL of a page that says what to use instead. */
  link: string;
}

/**
 * Announces the end of an endpoint on a response: `Deprecation` as in RFC 9745, `Sunset` as in RFC 8594, and a link to
 * what to use instead for each of the two.
 */
export function announceSunset(response: Response, { deprecatedAt, sunsetAt, link }: Sunset): void {
  response.set('Deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`);
  response.set('Sunset', sunsetAt.toUTCString());
  response.set('Link', ['deprecation', 'sunset'].map((rel) => `<${link}>; rel="${rel}"`).join(', '));
}
