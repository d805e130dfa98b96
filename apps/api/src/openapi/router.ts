import { Router } from 'express';
import { createDocsRouter } from '../docs/router.ts';
import { refuseMethods } from '../http/errors.ts';
import { addLogFields } from '../http/request-log.ts';
import type { Route } from '../http/route.ts';
import { describeApi } from './document.ts';

/** Serves the description of a route table without authentication: `/openapi.json` for programs, `/docs` for people. */
export function createDescriptionRouter(table: readonly Route[]): Router {
  const document = describeApi(table);
  // All responses share these bytes, however slowly callers read them.
  const json = Buffer.from(JSON.stringify(document));
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/openapi.json', (_request, response) => {
    addLogFields(response, { route: '/openapi.json' });
    response.type('json').send(json);
  });
  router.all('/openapi.json', refuseMethods('GET, HEAD'));
  router.use('/docs', createDocsRouter(document));
  return router;
}
