import express, { type Express } from 'express';
import helmet from 'helmet';
import { errorHandler } from './error-handler.ts';
import { notFound } from './errors.ts';
import { createHealthRouter, requireDatabase } from './health.ts';
import { createRateLimit, describeRateLimit } from './rate-limit.ts';
import { requestLog } from './request-log.ts';
import type { Dependencies, Route } from './route.ts';
import { createRouter } from './router.ts';
import { createApiKey } from './routes/api-keys.ts';
import { getCall, listCalls } from './routes/calls.ts';
import { getRoom, listRooms } from './routes/decision-rooms.ts';
import { listEngagementEvents } from './routes/engagement-events.ts';
import { listEngagementViews } from './routes/engagement-views.ts';
import { getHeatmap } from './routes/heatmaps.ts';
import { getRoomMetrics } from './routes/room-metrics.ts';
import { getStatus } from './routes/status.ts';
import { createWebhook, listWebhooks, updateWebhook } from './routes/webhooks.ts';

/** Every route below `/api/v1`: who may call what. The router and its 405 answers are made from this table. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/status', access: 'key', handler: getStatus },
  { method: 'GET', path: '/calls', access: 'key', handler: listCalls },
  { method: 'GET', path: '/calls/:id', access: 'key', handler: getCall },
  { method: 'GET', path: '/engagement/events', access: 'key', handler: listEngagementEvents },
  { method: 'GET', path: '/engagement/views', access: 'key', handler: listEngagementViews },
  { method: 'GET', path: '/decision-rooms', access: 'key', handler: listRooms },
  { method: 'GET', path: '/decision-rooms/:id', access: 'key', handler: getRoom },
  { method: 'GET', path: '/decision-rooms/:id/metrics', access: 'key', handler: getRoomMetrics },
  { method: 'GET', path: '/distributions/:id/heatmap', access: 'key', handler: getHeatmap },

  { method: 'POST', path: '/api-keys', access: 'session', handler: createApiKey, status: 201 },
  { method: 'GET', path: '/webhooks', access: 'session', handler: listWebhooks },
  { method: 'POST', path: '/webhooks', access: 'session', handler: createWebhook, status: 201 },
  { method: 'PATCH', path: '/webhooks/:id', access: 'session', handler: updateWebhook },
];

/** The API as an Express application: the order of what happens to a request. */
export function createApp(deps: Dependencies): Express {
  const rateLimit = createRateLimit(deps.redis, deps.settings.rateLimitPerMinute);
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', 'simple');

  app.use(requestLog(deps.logger));
  app.use(helmet());
  app.use(createHealthRouter(deps));
  app.use('/api/v1', (_request, response, next) => {
    describeRateLimit(response, rateLimit.perMinute);
    requireDatabase(deps.isDatabaseChecked);
    next();
  });
  app.use('/api/v1', createRouter(ROUTES, rateLimit, deps));
  app.use(() => {
    throw notFound();
  });
  app.use(errorHandler);
  return app;
}
