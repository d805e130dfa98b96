import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type RequestHandler, Router } from 'express';
import sirv from 'sirv';
import type { oas31 } from 'zod-openapi';
import { notFound, readsOnly, unavailable } from '../http/errors.ts';
import { addLogFields } from '../http/request-log.ts';
import { documentForReference } from './reference.ts';

/** Where the documentation is. */
export const DOCS_PATH = '/api/v1/docs';

/** The folder of the built guides. */
const SITE = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@deal-signals/guides/package.json')),
  'dist/site',
);
/** Every page has exactly one address. These are alternative spellings. */
const SECOND_ADDRESS = /.\/$|\.html$|^\/(index|404)$/;

const CLOSED = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
/** Content Security Policy of a page. Everything comes from this server, and nothing is inline. */
const PAGE_POLICY = [
  ...CLOSED,
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
].join('; ');
/** Scalar adds styles from its scripts. */
const REFERENCE_POLICY = [
  ...CLOSED,
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
].join('; ');
const ASSET_POLICY = CLOSED.join('; ');

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};
/** The type of program files and of `llms.txt`. */
const TEXT = 'text/plain; charset=utf-8';

/** Serves the documentation without authentication: the built site, and the description for the page of the reference. */
export function createDocsRouter(document: oas31.OpenAPIObject): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((request, response, next) => {
    addLogFields(response, { route: routeOf(request.path) });
    next();
  });
  router.use(readsOnly, (request, response, next) => {
    // `sirv` cannot set them: it omits them from a 304, whose headers replace those in the browser's cache.
    response.set({
      'Content-Security-Policy': policyOf(request.path),
      'Cache-Control': request.path.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    });
    next();
  });
  const described = Buffer.from(JSON.stringify(documentForReference(document)));
  router.get('/reference.json', (_request, response) => {
    response.type('json').send(described);
  });
  router.use((request, _response, next) => {
    if (SECOND_ADDRESS.test(request.path)) throw notFound();
    next();
  });
  router.use(createSite());
  router.use((request, response) => {
    response.removeHeader('Cache-Control');
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') throw notFound();
    response.set('Content-Security-Policy', PAGE_POLICY);
    response.status(404).type('html').sendFile(path.join(SITE, '404.html'), { cacheControl: false });
  });
  return router;
}

/** Redirects browsers from the root of the server to the documentation. Other callers get the 404 of an unknown path. */
export const leadToDocs: RequestHandler = (request, response) => {
  response.vary('Accept');
  const isBrowser = request.accepts(['json', 'html']) === 'html';
  if (!isBrowser || (request.method !== 'GET' && request.method !== 'HEAD')) throw notFound();
  addLogFields(response, { route: '/' });
  response.redirect(302, DOCS_PATH);
};

/** Serves the built files. In development they may be built while this process runs. */
function createSite(): RequestHandler {
  let site: RequestHandler | undefined;
  return (request, response, next) => {
    if (site === undefined) {
      if (!existsSync(SITE))
        throw unavailable('the guides are not built yet; try again in some seconds, or run: pnpm build');
      site = sirv(SITE, { brotli: true, etag: true, extensions: ['html'], setHeaders });
    }
    site(request, response, next);
  };
}

function setHeaders(response: ServerResponse, requested: string): void {
  const type = isPage(requested) ? 'html' : path.posix.extname(requested).slice(1);
  response.setHeader('Content-Type', TYPES[type] ?? TEXT);
}

function policyOf(requested: string): string {
  if (requested === '/') return REFERENCE_POLICY;
  return isPage(requested) ? PAGE_POLICY : ASSET_POLICY;
}

/**
 * Reports whether a path is a page. Pages about examples have the names of their files, such as `/examples/receiver/receiver.py`.
 */
function isPage(requested: string): boolean {
  return !/^\/(assets|files)\/|\.(md|txt|json|js|css)$/.test(requested);
}

/** Returns the path for the log and the metrics, with placeholders for the variable parts. */
function routeOf(requested: string): string {
  const [, part] = /^\/(guides|examples|files|assets)\/./.exec(requested) ?? [];
  if (part !== undefined) return `/docs/${part}/:file`;
  return /^\/(guides|events|examples|changelog)$/.test(requested) ? `/docs${requested}` : '/docs';
}
