import { createHash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { ApiError } from '../http/errors.ts';
import { note } from '../http/request-log.ts';
import type { Route } from '../http/route.ts';
import { describeApi } from './document.ts';
import { renderReference } from './reference/page.ts';
import { STYLE } from './reference/style.ts';

/** The page loads no resources and runs no scripts. It only has one inline stylesheet. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the description of a route table without authentication: `/openapi.json` for programs, `/docs` for people. */
export function createDescriptionRouter(table: readonly Route[]): Router {
  const document = describeApi(table);
  // As bytes, which all responses share however long their callers take to read them.
  const json = Buffer.from(JSON.stringify(document));
  const page = Buffer.from(renderReference(document));
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/openapi.json', (_request, response) => {
    note(response, { route: '/openapi.json' });
    response.type('json').send(json);
  });
  router.get('/docs', (_request, response) => {
    note(response, { route: '/docs' });
    response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(page);
  });
  router.all(['/openapi.json', '/docs'], refuseOtherMethods);
  return router;
}

const refuseOtherMethods: RequestHandler = () => {
  throw new ApiError('METHOD_NOT_ALLOWED', 'this path allows only GET, HEAD', {
    headers: { Allow: 'GET, HEAD' },
  });
};
