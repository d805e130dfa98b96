import { Router } from 'express';
import { refuseMethods, refusePath } from '../http/errors.ts';
import { requireDatabase } from '../http/health.ts';
import { limitHeaders } from '../http/limits/rate-limit.ts';
import type { RequestGuard } from '../http/request-guard.ts';
import { addLogFields } from '../http/request-log.ts';
import { createRouter } from '../http/router.ts';
import { describeApi } from '../openapi/document.ts';
import { CONSOLE_INTRODUCTION } from '../openapi/texts.ts';
import { createPageRouter } from './page.ts';
import { CONSOLE_ROUTES } from './routes.ts';

/** Where the console is served. */
export const CONSOLE_PATH = '/console';
/** Where its operations are served. */
export const CONSOLE_API_PATH = `${CONSOLE_PATH}/api`;

/** Builds the OpenAPI document of the console's operations. */
export function describeConsole(): object {
  return describeApi(CONSOLE_ROUTES, {
    title: 'Deal Signals Console API',
    introduction: CONSOLE_INTRODUCTION,
    base: CONSOLE_API_PATH,
    hasWebhooks: false,
  });
}

/** Serves the console: its operations and their description below `/api`, and the page on every other path. */
export function createConsoleRouter(guard: RequestGuard): Router {
  const { settings, isDatabaseChecked, rateLimits } = guard.context;
  const router = Router({ caseSensitive: true, strict: true });
  const description = Buffer.from(JSON.stringify(describeConsole()));
  router.use('/api', limitHeaders(settings.rateLimitPerMinute));
  router.get('/api/openapi.json', (_request, response) => {
    addLogFields(response, { route: `${CONSOLE_API_PATH}/openapi.json` });
    response.type('json').send(description);
  });
  router.all('/api/openapi.json', refuseMethods('GET, HEAD'));
  const limits = rateLimits.console;
  const operations = createRouter(CONSOLE_ROUTES, guard, { prefix: CONSOLE_API_PATH, limits });
  router.use('/api', requireDatabase(isDatabaseChecked), operations, refusePath);
  router.use(createPageRouter(settings.console));
  return router;
}
