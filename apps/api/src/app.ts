import express, { type Express, Router } from 'express';
import helmet from 'helmet';
import { CONSOLE_API_PATH, CONSOLE_PATH, createConsoleRouter } from './console/router.ts';
import { CONSOLE_ROUTES } from './console/routes.ts';
import { leadToDocs } from './docs/router.ts';
import { compressLargeResponses } from './http/responses/compression.ts';
import { errorHandler, notFound } from './http/errors.ts';
import { createHealthRouter, requireDatabase } from './http/health.ts';
import { parseQueryString } from './http/input.ts';
import { createRateLimit, type RateLimit, setLimitHeaders } from './http/limits/rate-limit.ts';
import { RequestGuard } from './http/request-guard.ts';
import { requestLog } from './http/request-log.ts';
import type { Dependencies, RateLimits, Route } from './http/route.ts';
import { createRouter } from './http/router.ts';
import { serveResourceMetadata } from './mcp/resource-metadata.ts';
import { createMcpRouter, MCP_ROUTE } from './mcp/router.ts';
import { createDescriptionRouter } from './openapi/router.ts';
import {
  createAlertChannel,
  listAlertChannels,
  removeAlertChannel,
  testAlertChannel,
  updateAlertChannel,
} from './routes/alert-channels.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './routes/api-keys.ts';
import { listAuditRecords } from './routes/audit-log.ts';
import { getCall, listCalls } from './routes/feeds/calls.ts';
import { getRoom, listRooms } from './routes/feeds/decision-rooms.ts';
import { getDistribution, listDistributions } from './routes/feeds/distributions.ts';
import { getDocument, listDocuments } from './routes/feeds/documents.ts';
import { listEngagementEvents } from './routes/feeds/engagement-events.ts';
import { listEngagementViews } from './routes/feeds/engagement-views.ts';
import { listErasures } from './routes/feeds/erasures.ts';
import { getEsignDocument, listEsignDocuments } from './routes/feeds/esign-documents.ts';
import { getHeatmap } from './routes/heatmaps.ts';
import { getPerson, listPeople } from './routes/feeds/people.ts';
import { getRoomMetrics } from './routes/room-metrics.ts';
import { listRoomScores } from './routes/feeds/room-scores.ts';
import { getStatus } from './routes/status.ts';
import { getDelivery, listDeliveries } from './routes/webhook-deliveries.ts';
import { getEndpointDelivery, listEndpointDeliveries } from './routes/webhooks/deliveries.ts';
import { dismissDeadDeliveries } from './routes/webhooks/dismissals.ts';
import { updateWebhook } from './routes/webhooks/endpoints/change.ts';
import { createWebhook } from './routes/webhooks/endpoints/create.ts';
import { getWebhook, listWebhooks } from './routes/webhooks/endpoints/read.ts';
import { removeWebhook } from './routes/webhooks/endpoints/remove.ts';
import { rotateWebhookSecret } from './routes/webhooks/endpoints/rotate-secret.ts';
import { pingWebhook } from './routes/webhooks/ping.ts';
import { replayMissingEvents } from './routes/webhooks/replays.ts';
import { resendEndpointDeliveries, resendEndpointDelivery } from './routes/webhooks/resends.ts';
import { retryDeadDeliveries, retryEndpointDelivery } from './routes/webhooks/retries.ts';
import { testWebhookFilter } from './routes/webhooks/test-filter.ts';
import { testWebhookUrl } from './routes/webhooks/url-test.ts';
import { createWebhookSourcesRouter } from './webhook-sources/serve.ts';

/** Every route below `/api/v1`, with its credential and scope. The router and the OpenAPI document are built from this table. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/status', access: 'key', scope: null, ...getStatus },
  { method: 'GET', path: '/calls', access: 'key', scope: 'read:calls', ...listCalls },
  { method: 'GET', path: '/calls/:id', access: 'key', scope: 'read:calls', ...getCall },
  {
    method: 'GET',
    path: '/engagement/events',
    access: 'key',
    scope: 'read:engagement',
    ...listEngagementEvents,
  },
  {
    method: 'GET',
    path: '/engagement/views',
    access: 'key',
    scope: 'read:engagement',
    ...listEngagementViews,
  },
  { method: 'GET', path: '/decision-rooms', access: 'key', scope: 'read:rooms', ...listRooms },
  { method: 'GET', path: '/decision-rooms/:id', access: 'key', scope: 'read:rooms', ...getRoom },
  {
    method: 'GET',
    path: '/decision-rooms/:id/metrics',
    access: 'key',
    scope: 'read:rooms',
    ...getRoomMetrics,
  },
  { method: 'GET', path: '/room-scores', access: 'key', scope: 'read:rooms', ...listRoomScores },
  { method: 'GET', path: '/people', access: 'key', scope: 'read:rooms', ...listPeople },
  { method: 'GET', path: '/people/:id', access: 'key', scope: 'read:rooms', ...getPerson },
  { method: 'GET', path: '/documents', access: 'key', scope: 'read:rooms', ...listDocuments },
  { method: 'GET', path: '/documents/:id', access: 'key', scope: 'read:rooms', ...getDocument },
  { method: 'GET', path: '/esign-documents', access: 'key', scope: 'read:rooms', ...listEsignDocuments },
  { method: 'GET', path: '/esign-documents/:id', access: 'key', scope: 'read:rooms', ...getEsignDocument },
  { method: 'GET', path: '/distributions', access: 'key', scope: 'read:engagement', ...listDistributions },
  { method: 'GET', path: '/distributions/:id', access: 'key', scope: 'read:engagement', ...getDistribution },
  {
    method: 'GET',
    path: '/distributions/:id/heatmap',
    access: 'key',
    scope: 'read:engagement',
    ...getHeatmap,
  },
  { method: 'GET', path: '/erasures', access: 'key', scope: null, ...listErasures },
  { method: 'GET', path: '/webhook-deliveries', access: 'key', scope: 'read:deliveries', ...listDeliveries },
  { method: 'GET', path: '/webhook-deliveries/:id', access: 'key', scope: 'read:deliveries', ...getDelivery },

  { method: 'GET', path: '/api-keys', access: 'session', ...listApiKeys },
  { method: 'POST', path: '/api-keys', access: 'session', ...createApiKey },
  { method: 'DELETE', path: '/api-keys/:id', access: 'session', ...revokeApiKey },
  { method: 'POST', path: '/api-keys/:id/rotate', access: 'session', ...rotateApiKey },
  { method: 'GET', path: '/alert-channels', access: 'session', ...listAlertChannels },
  { method: 'POST', path: '/alert-channels', access: 'session', ...createAlertChannel },
  { method: 'PATCH', path: '/alert-channels/:id', access: 'session', ...updateAlertChannel },
  { method: 'DELETE', path: '/alert-channels/:id', access: 'session', ...removeAlertChannel },
  { method: 'POST', path: '/alert-channels/:id/test', access: 'session', ...testAlertChannel },
  { method: 'GET', path: '/webhooks', access: 'session or key', scope: 'webhooks', ...listWebhooks },
  { method: 'POST', path: '/webhooks', access: 'session or key', scope: 'webhooks', ...createWebhook },
  { method: 'POST', path: '/webhooks/test', access: 'session', ...testWebhookUrl },
  { method: 'POST', path: '/webhooks/test-filter', access: 'session', ...testWebhookFilter },
  { method: 'GET', path: '/webhooks/:id', access: 'session or key', scope: 'webhooks', ...getWebhook },
  { method: 'PATCH', path: '/webhooks/:id', access: 'session', ...updateWebhook },
  { method: 'DELETE', path: '/webhooks/:id', access: 'session or key', scope: 'webhooks', ...removeWebhook },
  { method: 'POST', path: '/webhooks/:id/rotate-secret', access: 'session', ...rotateWebhookSecret },
  { method: 'POST', path: '/webhooks/:id/ping', access: 'session or key', scope: 'webhooks', ...pingWebhook },
  { method: 'GET', path: '/webhooks/:id/deliveries', access: 'session', ...listEndpointDeliveries },
  { method: 'GET', path: '/webhooks/:id/deliveries/:deliveryId', access: 'session', ...getEndpointDelivery },
  {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/retry',
    access: 'session',
    ...retryEndpointDelivery,
  },
  {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/resend',
    access: 'session',
    ...resendEndpointDelivery,
  },
  { method: 'POST', path: '/webhooks/:id/resend', access: 'session', ...resendEndpointDeliveries },
  {
    method: 'POST',
    path: '/webhooks/:id/replay-missing',
    access: 'session or key',
    scope: 'webhooks',
    ...replayMissingEvents,
  },
  { method: 'POST', path: '/webhooks/:id/retry-dead', access: 'session', ...retryDeadDeliveries },
  { method: 'POST', path: '/webhooks/:id/dismiss-dead', access: 'session', ...dismissDeadDeliveries },
  { method: 'GET', path: '/audit-log', access: 'session', ...listAuditRecords },
];

/** Creates the application of the admin port: health and metrics. */
export function createAdminApp(deps: Dependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(deps.logger, deps.metrics.observeRequest));
  app.use(createHealthRouter(deps, { withMetrics: true }));
  app.use(() => {
    throw notFound();
  });
  app.use(errorHandler);
  return app;
}

/** Creates the Express application. A request passes through the middleware in the order below. */
export function createApp(deps: Dependencies): Express {
  const { keyUsage, metrics, redis, settings } = deps;
  const limitOf = (perMinute: number, name = 'rate-limit'): RateLimit =>
    createRateLimit(
      redis,
      `${settings.redisPrefix}:${name}`,
      perMinute,
      settings.rateLimitDeadlineMs,
      (requests) => {
        metrics.countedLocally.inc(requests);
        metrics.redisErrors.inc();
      },
    );
  const rateLimits: RateLimits = {
    perKey: limitOf(settings.rateLimitPerMinute),
    management: {
      perUser: limitOf(settings.managementPerMinute.user),
      perWorkspace: limitOf(settings.managementPerMinute.workspace),
    },
    console: {
      perUser: limitOf(settings.console.perMinute.user, 'console-limit'),
      perWorkspace: limitOf(settings.console.perMinute.workspace, 'console-limit'),
    },
    pings: limitOf(settings.pingsPerMinute, 'ping-limit'),
  };
  const guard = new RequestGuard({ ...deps, rateLimits });
  metrics.expectRequests([
    ...ROUTES,
    MCP_ROUTE,
    ...CONSOLE_ROUTES.map((route) => ({ ...route, path: `${CONSOLE_API_PATH}${route.path}` })),
  ]);
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', parseQueryString);
  app.set('trust proxy', settings.trustedProxies);

  app.use(
    requestLog(deps.logger, (request) => {
      metrics.observeRequest(request);
      keyUsage.count(request);
    }),
  );
  app.use(helmet());
  app.use(createHealthRouter(deps, { withMetrics: settings.adminPort === null }));
  app.use(compressLargeResponses());
  const api = Router({ caseSensitive: true, strict: true });
  api.use((_request, response, next) => {
    setLimitHeaders(response, settings.rateLimitPerMinute);
    next();
  });
  api.use(createDescriptionRouter(ROUTES));
  api.use(createWebhookSourcesRouter(settings.webhookSources));
  api.use((_request, _response, next) => {
    requireDatabase(deps.isDatabaseChecked);
    next();
  });
  api.use(createRouter(ROUTES, guard));
  app.use('/api/v1', api);
  app.use(MCP_ROUTE.path, createMcpRouter(guard));
  if (settings.oauth !== null) app.use(serveResourceMetadata(settings.oauth));
  app.use(CONSOLE_PATH, createConsoleRouter(guard));
  app.all('/', leadToDocs);
  app.use(() => {
    throw notFound();
  });
  app.use(errorHandler);
  return app;
}
