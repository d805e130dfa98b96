import { type RequestHandler, type Response, Router } from 'express';
import type { oas31 } from 'zod-openapi';
import { ApiError, notFound } from '../http/errors.ts';
import { note } from '../http/request-log.ts';
import { DOCS_PATH } from './places.ts';
import type { Resource, Site } from './site.ts';

const CLOSED = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/** What a page may load. Everything comes from this server. */
const POLICIES: Record<Resource['kind'], string> = {
  // Scalar sets styles from its scripts.
  reference: [
    ...CLOSED,
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
  ].join('; '),
  page: [...CLOSED, "style-src 'self'", 'img-src data:'].join('; '),
  asset: CLOSED.join('; '),
};

/**
 * Serves the documentation without authentication: the reference, the guides, the events, the examples and the changelog.
 * The libraries that render it are loaded with the first request, so that they do not delay the start of the API.
 */
export function createDocsRouter(document: oas31.OpenAPIObject): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let opened: Promise<Site> | undefined;
  const open = async (): Promise<Site> => {
    try {
      const { openSite } = await import('./site.ts');
      return await openSite(document);
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  router.use(serve(() => (opened ??= open())));
  return router;
}

function serve(site: () => Promise<Site>): RequestHandler {
  return async (request, response) => {
    const resource = await (await site()).find(request.path === '/' ? '' : request.path);
    if (resource === null) throw notFound();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new ApiError('METHOD_NOT_ALLOWED', 'this path allows only GET, HEAD', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    send(response, resource, request.acceptsEncodings('br') === 'br');
  };
}

/** Leads browsers from the root of the server to the documentation. Everything else gets the 404 of an unknown path. */
export const leadToDocs: RequestHandler = (request, response) => {
  response.vary('Accept');
  const isBrowser = request.accepts(['json', 'html']) === 'html';
  if (!isBrowser || (request.method !== 'GET' && request.method !== 'HEAD')) throw notFound();
  note(response, { route: '/' });
  response.redirect(302, DOCS_PATH);
};

function send(
  response: Response,
  { route, type, kind, body, brotli }: Resource,
  acceptsBrotli: boolean,
): void {
  note(response, { route });
  response.set({
    'Content-Security-Policy': POLICIES[kind],
    'Cache-Control': kind === 'asset' ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  if (brotli !== undefined) response.vary('Accept-Encoding');
  const isCompressed = brotli !== undefined && acceptsBrotli;
  if (isCompressed) response.set('Content-Encoding', 'br');
  response.type(type).send(isCompressed ? brotli : body);
}
